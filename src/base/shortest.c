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
    char *comma = strchr(text, ',');  // of a locale that the program has set
    if (comma != NULL) {
        *comma = '.';
    }
    return text;
}
