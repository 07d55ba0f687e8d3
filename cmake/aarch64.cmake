# Toolchain for arm64, from Debian's cross compiler. CMAKE_SYSROOT is the root of an arm64 system with
# the packages of tools/install_deps.sh; tools/fresh.sh calls it.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER /usr/bin/aarch64-linux-gnu-gcc)  # so it is called on arm64, too
set(CMAKE_CXX_COMPILER NOTFOUND)  # examples in C++ and Fortran are left out: c++ and gfortran may be the host's
set(CMAKE_Fortran_COMPILER NOTFOUND)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_SYSROOT_DIR} "${CMAKE_SYSROOT}")
set(ENV{PKG_CONFIG_LIBDIR}
    "${CMAKE_SYSROOT}/usr/lib/aarch64-linux-gnu/pkgconfig:${CMAKE_SYSROOT}/usr/share/pkgconfig")
# mpicc of the sysroot does not run here; pkg-config knows the same flags.
set(MPI_SKIP_COMPILER_WRAPPER TRUE)
set(MPIEXEC_EXECUTABLE /usr/bin/mpiexec CACHE FILEPATH "mpiexec of the arm64 system")
