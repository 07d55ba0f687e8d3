# trammel_sources(<target> <folder> <name>...): <folder>/<name>.c of each.
function(trammel_sources target folder)
  list(TRANSFORM ARGN REPLACE "(.+)" "${folder}/\\1.c" OUTPUT_VARIABLE files)
  target_sources(${target} PRIVATE ${files})
endfunction()

# trammel_embed(<target> <file> <name>): the file's bytes as an array (embed.cmake).
function(trammel_embed target file name)
  set(script "${PROJECT_SOURCE_DIR}/cmake/embed.cmake")
  set(out "${CMAKE_CURRENT_BINARY_DIR}/${name}.c")
  cmake_path(ABSOLUTE_PATH file)
  add_custom_command(OUTPUT "${out}" DEPENDS "${file}" "${script}"
                     COMMAND ${CMAKE_COMMAND} -D "INPUT=${file}" -D NAME=${name} -D "OUTPUT=${out}"
                             -P "${script}")
  target_sources(${target} PRIVATE "${out}")
endfunction()

# trammel_objects(<target> <source>...)
#
# Sources of one library, compiled once for its static and shared forms. What they need to be
# compiled is found by the libraries that trammel_library names.
function(trammel_objects target)
  add_library(${target} OBJECT ${ARGN})
  target_include_directories(${target} PRIVATE ${TRAMMEL_PRIVATE} "${PROJECT_SOURCE_DIR}/include")
  target_compile_definitions(${target} PRIVATE TRAMMEL_VERSION="${PROJECT_VERSION}")
  target_link_libraries(${target} PRIVATE trammel_flags)
endfunction()

# trammel_library(<name> OBJECTS <target> [NEEDS <name>...] [LIBRARIES <library>...])
#
# lib<name>, static (<name>_static) and shared (<name>_shared). NEEDS are other libraries of ours,
# which users of this one get as well; LIBRARIES are those of others, which they do not.
function(trammel_library name)
  cmake_parse_arguments(PARSE_ARGV 1 part "" "OBJECTS" "NEEDS;LIBRARIES")
  target_link_libraries(${part_OBJECTS} PRIVATE ${part_LIBRARIES})
  foreach(form static shared)
    set(target ${name}_${form})
    string(TOUPPER ${form} type)
    add_library(${target} ${type} $<TARGET_OBJECTS:${part_OBJECTS}>)
    set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name} VERSION ${PROJECT_VERSION}
                          SOVERSION ${PROJECT_VERSION_MAJOR})
    target_include_directories(${target} PUBLIC
      "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>" "$<INSTALL_INTERFACE:include>")
    list(TRANSFORM part_NEEDS APPEND _${form} OUTPUT_VARIABLE needs)
    target_link_libraries(${target} PUBLIC ${needs}
                          PRIVATE $<BUILD_INTERFACE:trammel_flags> ${part_LIBRARIES})
  endforeach()
  # A function of another library of ours that is not marked TR_SHARED is found here.
  if(CMAKE_SYSTEM_NAME STREQUAL "Linux" AND NOT TRAMMEL_SANITIZE AND NOT TRAMMEL_FUZZ)
    target_link_options(${name}_shared PRIVATE LINKER:-z,defs)
  endif()
endfunction()
