// SPDX-License-Identifier: MIT
// Marks functions of the core that the libraries beside it use (trammel_hdf5, trammel_lua, ...).
// They are visible in libtrammel.so, but not for users.

#ifndef TR_BASE_SHARED_H
#define TR_BASE_SHARED_H

#if defined(__GNUC__)
#define TR_SHARED __attribute__((visibility("default")))
#else
#define TR_SHARED
#endif

#endif
