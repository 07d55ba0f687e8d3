// SPDX-License-Identifier: MIT
#include "plot/svg_reader.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "support/test.h"

#define DEPTH 16
#define NAME 32

typedef struct Reader {
    const char *at;
    int         depth;
    char        open[DEPTH][NAME];
    int         roots;
    const char *fault;
} Reader;

static bool blame(Reader *r, const char *fault) {
    r->fault = fault;
    return false;
}

// Characters and entities up to one of `stops`.
static bool read_characters(Reader *r, const char *stops) {
    static const char *const entities[] = {"&lt;", "&gt;", "&amp;", "&quot;"};
    while (*r->at != '\0' && strchr(stops, *r->at) == NULL) {
        unsigned char c = (unsigned char)*r->at;
        if (c == '<' || (c < 0x20 && c != '\n')) {
            return blame(r, "a character that is not allowed");
        }
        if (c == '&') {
            bool known = false;
            for (size_t i = 0; i < sizeof entities / sizeof *entities; i++) {
                known |= strncmp(r->at, entities[i], strlen(entities[i])) == 0;
            }
            if (!known) {
                return blame(r, "a bare &");
            }
        }
        r->at++;
    }
    return true;
}

static bool read_name(Reader *r, char out[NAME]) {
    int n = 0;
    while (isalnum((unsigned char)*r->at) || *r->at == '-' || *r->at == ':') {
        if (n == NAME - 1) {
            return blame(r, "a long name");
        }
        out[n++] = *r->at++;
    }
    out[n] = '\0';
    return n > 0 || blame(r, "no name");
}

static bool read_attributes(Reader *r) {
    char names[24][NAME];
    int  count = 0;
    while (*r->at == ' ') {
        r->at++;
        if (count == 24 || !read_name(r, names[count])) {
            return blame(r, "attributes");
        }
        for (int i = 0; i < count; i++) {
            if (strcmp(names[i], names[count]) == 0) {
                return blame(r, "an attribute twice");
            }
        }
        count++;
        if (strncmp(r->at, "=\"", 2) != 0) {
            return blame(r, "an attribute without value");
        }
        r->at += 2;
        if (!read_characters(r, "\"") || *r->at++ != '"') {
            return blame(r, "a value without end");
        }
    }
    return true;
}

static bool read_tag(Reader *r) {
    char name[NAME];
    bool closing = r->at[1] == '/';
    r->at += closing ? 2 : 1;
    if (!read_name(r, name)) {
        return false;
    }
    if (closing) {
        if (r->depth == 0 || strcmp(r->open[r->depth - 1], name) != 0) {
            return blame(r, "an end tag that matches nothing");
        }
        r->depth--;
        return *r->at++ == '>' || blame(r, "an end tag without end");
    }
    r->roots += r->depth == 0;
    if (!read_attributes(r)) {
        return false;
    }
    if (r->at[0] == '/' && r->at[1] == '>') {
        r->at += 2;
        return true;
    }
    if (r->depth == DEPTH || *r->at++ != '>') {
        return blame(r, "a tag without end");
    }
    memcpy(r->open[r->depth++], name, NAME);
    return true;
}

static bool is_utf8(const char *text) {
    for (const unsigned char *c = (const unsigned char *)text; *c != '\0';) {
        int more = *c < 0x80 ? 0 : *c >= 0xc2 && *c < 0xe0 ? 1 : (*c & 0xf0) == 0xe0 ? 2 : 3;
        if ((*c >= 0x80 && *c < 0xc2) || *c > 0xf4) {
            return false;
        }
        for (c++; more > 0; more--, c++) {
            if ((*c & 0xc0) != 0x80) {
                return false;
            }
        }
    }
    return true;
}

const char *xml_fault(const char *text) {
    const char *head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    if (strncmp(text, head, strlen(head)) != 0) {
        return "no declaration";
    }
    if (!is_utf8(text)) {
        return "not UTF-8";
    }
    Reader r = {.at = text + strlen(head)};
    while (*r.at != '\0') {
        if (r.depth == 0 && *r.at == '\n') {
            r.at++;
        } else if (r.depth == 0 && *r.at != '<') {
            return "text outside the root";
        } else if (!(*r.at == '<' ? read_tag(&r) : read_characters(&r, "<"))) {
            return r.fault;
        }
    }
    return r.depth != 0 ? "an element without end" : r.roots != 1 ? "not one root" : NULL;
}

char *svg_of(const trChart *chart) {
    char  *text = NULL;
    size_t size = 0;
    FILE  *file = open_memstream(&text, &size);
    assert_non_null(file);
    trStatus status = tr_chart_write(chart, file);
    fclose(file);
    if (status != TR_OK) {
        fail_msg("%s", tr_last_error());
    }
    const char *fault = xml_fault(text);
    if (fault != NULL) {
        fail_msg("%s in %s", fault, text);
    }
    return text;
}

int count_of(const char *text, const char *part) {
    int count = 0;
    for (const char *at = strstr(text, part); at != NULL; at = strstr(at + 1, part)) {
        count++;
    }
    return count;
}

bool has(const char *text, const char *part) {
    return strstr(text, part) != NULL;
}

int line_of(const char *svg, const char *name, Vertex *out, int room) {
    char title[256];
    snprintf(title, sizeof title, "<g>\n<title>%s</title>\n<path fill=\"none\"", name);
    const char *at = strstr(svg, title);
    at = at != NULL ? strstr(at, " d=\"") : NULL;
    if (at == NULL) {
        return -1;
    }
    int count = 0;
    for (at += 4; *at != '"' && count < room; count++) {
        char *end;
        out[count] = (Vertex){.letter = *at++};
        out[count].x = strtod(at, &end);
        at = end;
        if (out[count].letter != 'h') {
            out[count].y = strtod(at, &end);
            at = end;
        }
    }
    return count;
}
