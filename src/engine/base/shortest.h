// SPDX-License-Identifier: MIT
// Numbers as text, with as few digits as read back as the same double.

#ifndef TR_BASE_SHORTEST_H
#define TR_BASE_SHORTEST_H

#include "base/shared.h"

#define TR_SHORTEST_BYTES 32  // -1.7976931348623157e+308 has 24

// "1.15", never "1.1499999999999999"; with a point whatever the locale. Returns text.
const char *tr_shortest(double value, char text[TR_SHORTEST_BYTES]) TR_SHARED;

#endif
