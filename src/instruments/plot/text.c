// SPDX-License-Identifier: MIT
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "plot/plot.h"

#define REPLACEMENT 0xfffdu
#define MINUS "\xe2\x88\x92"
#define ELLIPSIS "\xe2\x80\xa6"
#define POWER_SIZE 0.7    // of raised digits, by the size of the text
#define POWER_SHIFT 0.38  // em
#define MOST_PLACES 17
#define LARGEST 1e9  // coordinates are bounded, so that they fit an integer of hundredths

// Reads one character of UTF-8 at `s`, before `end`, and returns its bytes. What is not UTF-8, or
// not allowed in XML 1.0, reads as U+FFFD.
static size_t read_character(const char *s, const char *end, uint32_t *code) {
    static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned char         first = (unsigned char)s[0];
    size_t                bytes = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    *code = REPLACEMENT;
    if ((first >= 0x80 && first < 0xc2) || first > 0xf4 || (size_t)(end - s) < bytes) {
        return 1;
    }
    uint32_t c = bytes == 1 ? first : first & (0x7fu >> bytes);
    for (size_t i = 1; i < bytes; i++) {
        unsigned char next = (unsigned char)s[i];
        if ((next & 0xc0) != 0x80) {
            return 1;
        }
        c = c << 6 | (next & 0x3fu);
    }
    if (c < smallest[bytes] || (c >= 0xd800 && c <= 0xdfff) || c > 0x10ffff) {
        return 1;
    }
    bool control = (c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7f;
    *code = control || c == 0xfffe || c == 0xffff ? REPLACEMENT : c;
    return bytes;
}

static void put_escaped(FILE *file, const char *text, size_t length) {
    const char *end = text + length;
    while (text < end) {
        uint32_t    code;
        size_t      bytes = read_character(text, end, &code);
        const char *as = code == '<'                                    ? "&lt;"
                         : code == '>'                                  ? "&gt;"
                         : code == '&'                                  ? "&amp;"
                         : code == '"'                                  ? "&quot;"
                         : code == '\t' || code == '\n' || code == '\r' ? " "
                         : code == REPLACEMENT                          ? "\xef\xbf\xbd"
                                                                        : NULL;
        if (as != NULL) {
            fputs(as, file);
        } else {
            fwrite(text, 1, bytes, file);
        }
        text += bytes;
    }
}

static void put_coordinate(FILE *file, double x) {
    double  bounded = x > LARGEST ? LARGEST : x < -LARGEST ? -LARGEST : x;
    int64_t hundredths = isnan(x) ? 0 : llround(100.0 * bounded);
    int64_t size = hundredths < 0 ? -hundredths : hundredths;
    int     rest = (int)(size % 100);
    fprintf(file, "%s%" PRId64, hundredths < 0 ? "-" : "", size / 100);
    if (rest != 0) {
        fprintf(file, rest % 10 == 0 ? ".%d" : ".%02d", rest % 10 == 0 ? rest / 10 : rest);
    }
}

void tr_text_decimal(int64_t digits, int power, char out[TR_DECIMAL_BYTES]) {
    int64_t     size = digits < 0 ? -digits : digits, unit = 1;
    int         places = power >= 0 ? 0 : power > -MOST_PLACES ? -power : MOST_PLACES;
    char        zeros[MOST_PLACES + 1] = "";
    const char *sign = digits < 0 ? MINUS : "";
    for (int i = 0; i < places; i++) {
        unit *= 10;
    }
    for (int i = 0; i < power && i < MOST_PLACES; i++) {
        zeros[i] = '0';
    }
    if (size == 0) {
        snprintf(out, TR_DECIMAL_BYTES, "0");
    } else if (places > 0) {
        snprintf(out, TR_DECIMAL_BYTES, "%s%" PRId64 ".%0*" PRId64, sign, size / unit, places,
                 size % unit);
    } else {
        snprintf(out, TR_DECIMAL_BYTES, "%s%" PRId64 "%s", sign, size, zeros);
    }
}

// Four significant digits by integers, as no printf of a double is the same in every locale.
static void put_value(FILE *file, double x) {
    char number[TR_DECIMAL_BYTES];
    if (!isfinite(x) || x == 0.0) {
        fputs(isnan(x) ? "nan" : x == 0.0 ? "0" : x > 0.0 ? "inf" : MINUS "inf", file);
        return;
    }
    int     exponent = (int)floor(log10(fabs(x)));
    int     power = exponent - 3;
    int64_t digits = llround(power < -300 ? x * 1e300 * pow(10.0, -power - 300)
                             : power < 0  ? x * pow(10.0, -power)
                                          : x / pow(10.0, power));
    exponent += digits == 10000 || digits == -10000;  // 9.9996 is 10
    while (digits % 10 == 0) {
        digits /= 10;
        power++;
    }
    bool plain = exponent >= -4 && exponent < 6;
    int  scale = plain ? power : power - exponent;
    tr_text_decimal(digits, scale, number);
    fputs(number, file);
    if (!plain) {
        fprintf(file, "e%d", exponent);
    }
}

void tr_text_print(FILE *file, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    for (const char *c = format; *c != '\0'; c++) {
        if (*c != '%') {
            fputc(*c, file);
            continue;
        }
        c++;
        if (*c == 'd') {
            fprintf(file, "%d", va_arg(arguments, int));
        } else if (*c == 'g') {
            put_coordinate(file, va_arg(arguments, double));
        } else if (*c == 'e') {
            put_value(file, va_arg(arguments, double));
        } else if (*c == 's') {
            const char *text = va_arg(arguments, const char *);
            put_escaped(file, text, strlen(text));
        } else {
            fputc('%', file);
        }
    }
    va_end(arguments);
}

// Length of "-12" or "3" at `s`, 0 if there is no whole number.
static size_t number_length(const char *s, const char *end) {
    const char *c = s;
    if (c < end && *c == '-') {
        c++;
    }
    const char *digits = c;
    while (c < end && *c >= '0' && *c <= '9') {
        c++;
    }
    return c > digits ? (size_t)(c - s) : 0;
}

static void put_raised(FILE *file, const char *text, size_t bytes, double size) {
    bool negative = bytes > 0 && text[0] == '-';
    tr_text_print(file, "<tspan dy=\"%g\" font-size=\"%g\">%s", -POWER_SHIFT * size,
                  POWER_SIZE * size, negative ? MINUS : "");
    put_escaped(file, negative ? text + 1 : text, negative ? bytes - 1 : bytes);
    fputs("</tspan>", file);
}

void tr_text_put_power(FILE *file, int power, double size) {
    char text[16];
    int  bytes = snprintf(text, sizeof text, "%d", power);
    put_raised(file, text, (size_t)bytes, size);
}

void tr_text_put_rich(FILE *file, const char *text, size_t bytes, double size) {
    const char *end = text + bytes, *from = text;
    bool        lowered = true;
    for (const char *c = text; c < end; c++) {
        size_t power = *c == '^' && c > text ? number_length(c + 1, end) : 0;
        if (power == 0 && c + 1 < end) {
            continue;
        }
        const char *stop = power > 0 ? c : end;
        if (stop > from) {
            if (!lowered) {
                tr_text_print(file, "<tspan dy=\"%g\">", POWER_SHIFT * size);
            }
            put_escaped(file, from, (size_t)(stop - from));
            fputs(lowered ? "" : "</tspan>", file);
            lowered = true;
        }
        if (power > 0) {
            put_raised(file, c + 1, power, size);
            lowered = false;
            c += power;
            from = c + 1;
        }
    }
}

// Widths in em of DejaVu Sans, the widest of the fonts that charts ask for, rounded up.
static double character_width(uint32_t code) {
    if (code >= 0x300 && code <= 0x36f) {
        return 0.0;  // combining marks
    }
    if (code >= 0x1100) {
        return code >= 0x2000 && code < 0x2e80 ? 0.84 : 1.0;
    }
    if (code >= 0x80) {
        return 0.7;
    }
    if (strchr("ijlI.,:;'|! ", (int)code) != NULL) {
        return 0.34;
    }
    if (strchr("frt()[]-/\\", (int)code) != NULL) {
        return 0.42;
    }
    if (strchr("mwMWQO@%<>+=~&#", (int)code) != NULL) {
        return 0.99;
    }
    return code >= 'A' && code <= 'Z' ? 0.76 : 0.64;
}

// Bytes up to `width`, and how wide they are with the character after them.
static size_t measure(const char *text, size_t bytes, double size, double width, double *used) {
    const char *end = text + bytes, *c = text;
    *used = 0.0;
    while (c < end) {
        uint32_t code;
        size_t   step = read_character(c, end, &code);
        *used += size * character_width(code);
        if (*used > width) {
            break;
        }
        c += step;
    }
    return (size_t)(c - text);
}

size_t tr_text_fit(const char *text, size_t bytes, double size, double width) {
    double used;
    return measure(text, bytes, size, width, &used);
}

double tr_text_width(const char *text, size_t bytes, double size) {
    double used;
    measure(text, bytes, size, INFINITY, &used);
    return used;
}

void tr_text_put_fitted(FILE *file, const char *text, double size, double width) {
    size_t all = strlen(text);
    if (tr_text_width(text, all, size) <= width) {
        tr_text_put_rich(file, text, all, size);
        return;
    }
    double dots = tr_text_width(ELLIPSIS, strlen(ELLIPSIS), size);
    put_escaped(file, text, tr_text_fit(text, all, size, width - dots));
    fputs(ELLIPSIS, file);
}

size_t tr_text_line(const char *text, double size, double width, const char **next) {
    size_t all = strlen(text), fits = tr_text_fit(text, all, size, width);
    if (fits == all) {
        *next = NULL;
        return all;
    }
    size_t line = fits;
    while (line > 0 && text[line] != ' ') {
        line--;
    }
    if (line == 0) {  // one long word: at least one character of it
        uint32_t code;
        line = fits > 0 ? fits : read_character(text, text + all, &code);
    }
    const char *rest = text + line;
    while (*rest == ' ') {
        rest++;
    }
    *next = *rest != '\0' ? rest : NULL;
    return line;
}
