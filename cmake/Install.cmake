# What `cmake --install` puts where: libraries, headers, the command, and the files by which other
# projects find them: find_package(trammel COMPONENTS hdf5 lua), pkg-config trammel-hdf5.
include(CMakePackageConfigHelpers)

set(TRAMMEL_CMAKE_DIR "${CMAKE_INSTALL_LIBDIR}/cmake/trammel")

# libtrammel is the component "core"; each has targets and a .pc file of its own.
function(trammel_install name component export)
  set_target_properties(${name}_shared PROPERTIES EXPORT_NAME ${export})
  set_target_properties(${name}_static PROPERTIES EXPORT_NAME ${export}_static)
  install(TARGETS ${name}_shared ${name}_static EXPORT ${component}Targets
          LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}"
          ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
          INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
  install(EXPORT ${component}Targets NAMESPACE trammel:: DESTINATION "${TRAMMEL_CMAKE_DIR}")
endfunction()

trammel_install(trammel core trammel)
foreach(component hdf5 lua fmi verify)
  trammel_install(trammel_${component} ${component} ${component})
endforeach()
if(TARGET trammel_mpi)
  set_target_properties(trammel_mpi PROPERTIES EXPORT_NAME mpi)
  install(TARGETS trammel_mpi EXPORT mpiTargets LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}"
          INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
  install(EXPORT mpiTargets NAMESPACE trammel:: DESTINATION "${TRAMMEL_CMAKE_DIR}")
endif()
install(TARGETS trammel_command RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/trammel"
        DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" FILES_MATCHING PATTERN "*.h")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" "${PROJECT_SOURCE_DIR}/THIRD_PARTY.md"
        DESTINATION "${CMAKE_INSTALL_DOCDIR}")

configure_package_config_file(
  "${PROJECT_SOURCE_DIR}/cmake/trammelConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/trammelConfig.cmake" INSTALL_DESTINATION "${TRAMMEL_CMAKE_DIR}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/trammelConfigVersion.cmake"
                                 COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/trammelConfig.cmake"
              "${PROJECT_BINARY_DIR}/trammelConfigVersion.cmake"
              "${PROJECT_SOURCE_DIR}/cmake/FindKLU.cmake"
              "${PROJECT_SOURCE_DIR}/cmake/FindSundials.cmake"
        DESTINATION "${TRAMMEL_CMAKE_DIR}")

# The prefix in a .pc file is relative to the file, so that an installed tree can be moved.
file(RELATIVE_PATH TRAMMEL_PC_PREFIX "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
string(REGEX REPLACE "/$" "" TRAMMEL_PC_PREFIX "${TRAMMEL_PC_PREFIX}")
if(Sundials_FOUND)
  list(TRANSFORM SUNDIALS_NAMES PREPEND "-lsundials_" OUTPUT_VARIABLE names)
  if(SUNDIALS_MPI)
    list(TRANSFORM MPI_C_LIB_NAMES PREPEND "-l" OUTPUT_VARIABLE mpi)
  endif()
  list(JOIN names " " names)
  list(JOIN mpi " " mpi)
  string(STRIP "${names} ${mpi}" sundials_libraries)
endif()
if(LIBZIP_FOUND AND LIBXML2_FOUND)
  set(fmi_modules "libzip libxml-2.0")
endif()

# trammel_pc(<name> <description> <our own> <modules of others> <libraries of others>)
function(trammel_pc name description requires private libraries)
  string(REPLACE "-" "_" library "${name}")
  configure_file("${PROJECT_SOURCE_DIR}/cmake/trammel.pc.in" "${PROJECT_BINARY_DIR}/${name}.pc"
                 @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/${name}.pc"
          DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
endfunction()

trammel_pc(trammel "${PROJECT_DESCRIPTION}" "" "lapacke"
           "${sundials_libraries} -lklu -lamd -lcolamd -lbtf -lsuitesparseconfig -lm")
trammel_pc(trammel-hdf5 "Trammel: HDF5 files of results" "trammel" "hdf5-serial" "")
trammel_pc(trammel-lua "Trammel: model files in Lua" "trammel" "lua5.4" "-lm")
trammel_pc(trammel-fmi "Trammel: FMUs as modules" "trammel" "${fmi_modules}" "-ldl -lm")
trammel_pc(trammel-verify "Trammel: verification of results" "trammel-hdf5 trammel-lua" "" "-lm")
