// SPDX-License-Identifier: MIT
// Whether there is room for a file, found out by writing it.

#ifndef TR_RECORD_ROOM_H
#define TR_RECORD_ROOM_H

#include <stddef.h>

#include "base/shared.h"

// Zero if the file can be made, or can become, `bytes` long; else errno. A file that exists is as
// it was afterwards; one that does not is empty, or absent after a failure.
int tr_room_for(const char *path, size_t bytes) TR_SHARED;

#endif
