# The target `tests`: every program and library below tests/, fuzz/, bench/ and papers/ but for the
# benchmarks of other codes.
add_custom_target(tests)

function(trammel_add_to_tests folder)
  get_property(targets DIRECTORY "${folder}" PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target ${targets})
    get_target_property(type ${target} TYPE)
    get_target_property(excluded ${target} EXCLUDE_FROM_ALL)
    if(NOT excluded AND type MATCHES "EXECUTABLE|LIBRARY")
      add_dependencies(tests ${target})
    endif()
  endforeach()
  get_property(below DIRECTORY "${folder}" PROPERTY SUBDIRECTORIES)
  foreach(one ${below})
    trammel_add_to_tests("${one}")
  endforeach()
endfunction()

trammel_add_to_tests("${PROJECT_SOURCE_DIR}")
