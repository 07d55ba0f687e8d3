// SPDX-License-Identifier: MIT
// Texts and numbers of a chart: XML, and estimates of how wide they will be.

#ifndef TR_PLOT_TEXT_H
#define TR_PLOT_TEXT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "trammel/base.h"

#define TR_DECIMAL_BYTES 64

// Like fprintf, but for XML and the same in every locale. It knows
//     %d   an int
//     %g   a double, rounded to 2 decimals at most and without trailing zeros: a coordinate
//     %e   a double with 4 significant digits at most: a value
//     %s   a text, escaped; bytes and characters that XML does not allow become U+FFFD
//     %%
// and nothing else: no widths, no precisions.
void tr_text_print(FILE *file, const char *format, ...) TR_PRINTF(2, 3);

// The first `bytes` bytes of a text, escaped, with whole numbers after ^ raised. `size` is the font
// size [px].
void tr_text_put_rich(FILE *file, const char *text, size_t bytes, double size);

// A whole text in this way, or its beginning and an ellipsis if it is wider than `width` [px].
void tr_text_put_fitted(FILE *file, const char *text, double size, double width);

// A raised whole number. Nothing may follow it on its line.
void tr_text_put_power(FILE *file, int power, double size);

// How wide `bytes` bytes of a text are [px]. The widths are those of a wide sans-serif font, so
// that what is estimated not to overlap does not, whatever font the reader has.
double tr_text_width(const char *text, size_t bytes, double size);

// Bytes of the longest beginning, of whole characters, that is not wider than `width` [px].
size_t tr_text_fit(const char *text, size_t bytes, double size, double width);

// Bytes of the first line if the text is broken between words so that no line is wider than `width`
// [px]. A word that is wider by itself is broken. `next` becomes the start of the next line, or
// NULL.
size_t tr_text_line(const char *text, double size, double width, const char **next);

// digits 10^power in decimal notation with a true minus sign. -17 <= power <= 17.
void tr_text_decimal(int64_t digits, int power, char out[TR_DECIMAL_BYTES]);

#endif
