# Finds CVODE, IDA and ARKODE of SUNDIALS 6 and defines Sundials6::Sundials6. Linear solvers of
# SUNDIALS other than SPGMR are neither looked for nor needed: matrices are factored by our own code.
find_path(SUNDIALS6_INCLUDE_DIR cvode/cvode.h)
set(SUNDIALS6_LIBRARIES)
set(SUNDIALS6_LIBRARY_VARIABLES)
foreach(name cvode ida arkode nvecserial sunlinsolspgmr generic)
  string(TOUPPER "SUNDIALS6_${name}_LIBRARY" variable)
  find_library(${variable} sundials_${name})
  list(APPEND SUNDIALS6_LIBRARY_VARIABLES ${variable})
  list(APPEND SUNDIALS6_LIBRARIES "${${variable}}")
endforeach()
if(SUNDIALS6_INCLUDE_DIR)
  file(STRINGS "${SUNDIALS6_INCLUDE_DIR}/sundials/sundials_config.h" line
       REGEX "^#define SUNDIALS_VERSION \"")
  string(REGEX REPLACE ".*\"([0-9.]+).*" "\\1" SUNDIALS6_VERSION "${line}")
endif()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(
  Sundials6 REQUIRED_VARS SUNDIALS6_INCLUDE_DIR ${SUNDIALS6_LIBRARY_VARIABLES}
  VERSION_VAR SUNDIALS6_VERSION HANDLE_VERSION_RANGE)
mark_as_advanced(SUNDIALS6_INCLUDE_DIR ${SUNDIALS6_LIBRARY_VARIABLES})

if(Sundials6_FOUND AND NOT TARGET Sundials6::Sundials6)
  add_library(Sundials6::Sundials6 INTERFACE IMPORTED)
  set_target_properties(Sundials6::Sundials6 PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${SUNDIALS6_INCLUDE_DIR}"
    INTERFACE_LINK_LIBRARIES "${SUNDIALS6_LIBRARIES}")
endif()
