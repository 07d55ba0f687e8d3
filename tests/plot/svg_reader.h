// SPDX-License-Identifier: MIT
// Reads back what charts write: a strict reader of the part of XML that they use.

#ifndef TESTS_PLOT_SVG_READER_H
#define TESTS_PLOT_SVG_READER_H

#include <stdbool.h>

#include "trammel/plot.h"

// The chart as text, to be freed; fails the test if it cannot be written or is not well-formed.
char *svg_of(const trChart *chart);

// What is wrong with an XML document (tags that do not match, attributes twice or without quotes,
// bare & or <, characters that are not allowed, no single root), or NULL.
const char *xml_fault(const char *text);

int  count_of(const char *text, const char *part);
bool has(const char *text, const char *part);

typedef struct Vertex {
    char   letter;  // M, L or h as in the path data
    double x, y;    // [px]; of h, the length and 0
} Vertex;

// The vertices of the line of the series with this name, at most `room`; -1 if there is none.
int line_of(const char *svg, const char *name, Vertex *out, int room);

#endif
