# What `cmake --install` puts where: libraries, headers, the command, and the files by which other
# projects find them (find_package(trammel), pkg-config trammel).
include(CMakePackageConfigHelpers)

set(TRAMMEL_CMAKE_DIR "${CMAKE_INSTALL_LIBDIR}/cmake/trammel")

set_target_properties(trammel_shared PROPERTIES EXPORT_NAME trammel)
install(TARGETS trammel_shared trammel_static EXPORT trammelTargets
        LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}"
        ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
        INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
if(TARGET trammel_mpi)
  install(TARGETS trammel_mpi EXPORT trammelTargets LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}"
          INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
endif()
install(TARGETS trammel_command RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/trammel"
        DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" FILES_MATCHING PATTERN "*.h")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" "${PROJECT_SOURCE_DIR}/THIRD_PARTY.md"
        DESTINATION "${CMAKE_INSTALL_DOCDIR}")

install(EXPORT trammelTargets NAMESPACE trammel:: DESTINATION "${TRAMMEL_CMAKE_DIR}")
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

# The prefix in trammel.pc is relative to the file, so that an installed tree can be moved.
file(RELATIVE_PATH TRAMMEL_PC_PREFIX "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
string(REGEX REPLACE "/$" "" TRAMMEL_PC_PREFIX "${TRAMMEL_PC_PREFIX}")
if(Sundials_FOUND)
  list(TRANSFORM SUNDIALS_NAMES PREPEND "-lsundials_" OUTPUT_VARIABLE names)
  if(SUNDIALS_MPI)
    list(TRANSFORM MPI_C_LIB_NAMES PREPEND "-l" OUTPUT_VARIABLE mpi)
  endif()
  list(JOIN names " " names)
  list(JOIN mpi " " mpi)
  string(STRIP "${names} ${mpi}" names)
  set(TRAMMEL_PC_SUNDIALS "${names} ")
endif()
if(LIBZIP_FOUND AND LIBXML2_FOUND)
  set(TRAMMEL_PC_FMI " libzip libxml-2.0")
endif()
configure_file("${PROJECT_SOURCE_DIR}/cmake/trammel.pc.in" "${PROJECT_BINARY_DIR}/trammel.pc"
               @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/trammel.pc"
        DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
