// SPDX-License-Identifier: MIT
// Texts that come from files and stand in lines: none of them may end the line or command the
// terminal. Control characters are those of ASCII, and U+0080 to U+009F in UTF-8; the locale of the
// process has no part in it.

#ifndef TR_BASE_PLAIN_H
#define TR_BASE_PLAIN_H

#include <stdbool.h>
#include <stddef.h>

// How many bytes the control character takes that begins here; 0: there is none.
static inline size_t tr_control_length(const char *text) {
    const unsigned char *c = (const unsigned char *)text;
    return c[0] == '\0'                                  ? 0
           : c[0] < 0x20 || c[0] == 0x7f                 ? 1
           : c[0] == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0 ? 2
                                                         : 0;
}

// The first control character, or NULL.
static inline const char *tr_find_control(const char *text) {
    for (const char *c = text; *c != '\0'; c++) {
        if (tr_control_length(c) > 0) {
            return c;
        }
    }
    return NULL;
}

// Puts spaces in their place. NULL is allowed.
static inline void tr_make_plain(char *text) {
    for (char *c = text; c != NULL && *c != '\0'; c++) {
        for (size_t left = tr_control_length(c); left > 0; left--) {
            c[left - 1] = ' ';
        }
    }
}

#endif
