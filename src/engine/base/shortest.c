// SPDX-License-Identifier: MIT
// 15 digits are enough for what was typed with 15, 17 for every double.

#include "base/shortest.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *tr_shortest(double value, char text[TR_SHORTEST_BYTES]) {
    snprintf(text, TR_SHORTEST_BYTES, "nan");
    for (int digits = 15; digits <= 17 && !isnan(value); digits++) {
        snprintf(text, TR_SHORTEST_BYTES, "%.*g", digits, value);
        if (strtod(text, NULL) == value) {
            break;
        }
    }
    // The point of the locale that the program has set may be another, and longer.
    char  *point = text + strspn(text, "-0123456789");
    size_t length = isfinite(value) ? strcspn(point, "0123456789e") : 0;
    if (length > 0) {
        *point = '.';
        memmove(point + 1, point + length, strlen(point + length) + 1);
    }
    return text;
}
