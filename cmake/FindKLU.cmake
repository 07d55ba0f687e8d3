# Finds KLU of SuiteSparse with the libraries under it, and defines KLU::KLU. Debian 12 and Ubuntu
# ship neither a pkg-config file nor a CMake package of it. UMFPACK, SPQR and CHOLMOD of the same
# source package are GPL or contain GPL parts: they are not looked for.
find_path(KLU_INCLUDE_DIR klu.h PATH_SUFFIXES suitesparse)
set(KLU_LIBRARIES)
set(KLU_LIBRARY_VARIABLES)
foreach(name klu amd colamd btf suitesparseconfig)
  string(TOUPPER "KLU_${name}_LIBRARY" variable)
  find_library(${variable} ${name})
  list(APPEND KLU_LIBRARY_VARIABLES ${variable})
  list(APPEND KLU_LIBRARIES "${${variable}}")
endforeach()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(KLU REQUIRED_VARS KLU_INCLUDE_DIR ${KLU_LIBRARY_VARIABLES})
mark_as_advanced(KLU_INCLUDE_DIR ${KLU_LIBRARY_VARIABLES})

if(KLU_FOUND AND NOT TARGET KLU::KLU)
  add_library(KLU::KLU INTERFACE IMPORTED)
  set_target_properties(KLU::KLU PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${KLU_INCLUDE_DIR}"
                                            INTERFACE_LINK_LIBRARIES "${KLU_LIBRARIES}")
endif()
