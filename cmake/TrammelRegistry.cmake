# trammel_add_registered(<target> <file.def>)
#
# Compiles <name>.c for every TR_<KIND>(<name>) line of the list, and <folder>/<name>.c for every
# TR_<KIND>(<folder>, <name>) line; kinds of one file share a line, which begins with its name. The list is the only place where a plug-in is mentioned.
function(trammel_add_registered target def)
  get_filename_component(def "${def}" ABSOLUTE)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${def}")
  get_filename_component(dir "${def}" DIRECTORY)
  file(STRINGS "${def}" lines REGEX "^TR_")
  foreach(line IN LISTS lines)
    if(line MATCHES "^TR_[A-Z]+\\(([a-z0-9_]+), ([a-z0-9_]+)\\)")
      target_sources(${target} PRIVATE "${dir}/${CMAKE_MATCH_1}/${CMAKE_MATCH_2}.c")
    elseif(line MATCHES "^TR_[A-Z]+\\(([a-z0-9_]+)\\)")
      target_sources(${target} PRIVATE "${dir}/${CMAKE_MATCH_1}.c")
    else()
      message(FATAL_ERROR "${def}: cannot read '${line}'")
    endif()
  endforeach()
endfunction()
