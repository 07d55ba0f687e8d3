# Finds CVODE, IDA and ARKODE of SUNDIALS 6 or 7 and defines Sundials::Sundials. Linear solvers of
# SUNDIALS other than SPGMR are neither looked for nor needed: matrices are factored by our own code.
find_path(SUNDIALS_INCLUDE_DIR cvode/cvode.h)
set(SUNDIALS_CONFIG_LINES)
if(SUNDIALS_INCLUDE_DIR)
  file(STRINGS "${SUNDIALS_INCLUDE_DIR}/sundials/sundials_config.h" SUNDIALS_CONFIG_LINES
       REGEX "^#define (SUNDIALS_VERSION \"|SUNDIALS_MPI_ENABLED 1)")
  string(REGEX REPLACE ".*VERSION \"([0-9.]+).*" "\\1" SUNDIALS_VERSION "${SUNDIALS_CONFIG_LINES}")
endif()

# What all packages stand on is called core from version 7 on. Built with MPI, its headers include
# MPI's, and its communicators are MPI's.
set(SUNDIALS_CORE core)
set(SUNDIALS_MPI)
set(SUNDIALS_MPI_VARIABLE)
if(SUNDIALS_VERSION VERSION_LESS 7)
  set(SUNDIALS_CORE generic)
elseif(SUNDIALS_CONFIG_LINES MATCHES "MPI_ENABLED")
  find_package(MPI QUIET COMPONENTS C)
  set(SUNDIALS_MPI MPI::MPI_C)
  set(SUNDIALS_MPI_VARIABLE MPI_C_FOUND)
endif()

set(SUNDIALS_NAMES cvode ida arkode nvecserial sunlinsolspgmr ${SUNDIALS_CORE})
set(SUNDIALS_LIBRARIES)
set(SUNDIALS_LIBRARY_VARIABLES)
foreach(name ${SUNDIALS_NAMES})
  string(TOUPPER "SUNDIALS_${name}_LIBRARY" variable)
  find_library(${variable} sundials_${name})
  list(APPEND SUNDIALS_LIBRARY_VARIABLES ${variable})
  list(APPEND SUNDIALS_LIBRARIES "${${variable}}")
endforeach()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(
  Sundials REQUIRED_VARS SUNDIALS_INCLUDE_DIR ${SUNDIALS_LIBRARY_VARIABLES} ${SUNDIALS_MPI_VARIABLE}
  VERSION_VAR SUNDIALS_VERSION HANDLE_VERSION_RANGE)
mark_as_advanced(SUNDIALS_INCLUDE_DIR ${SUNDIALS_LIBRARY_VARIABLES})

if(Sundials_FOUND AND NOT TARGET Sundials::Sundials)
  add_library(Sundials::Sundials INTERFACE IMPORTED)
  set_target_properties(Sundials::Sundials PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${SUNDIALS_INCLUDE_DIR}"
    INTERFACE_LINK_LIBRARIES "${SUNDIALS_LIBRARIES};${SUNDIALS_MPI}")
endif()
