// SPDX-License-Identifier: MIT
#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/plain.h"

#define TEXT_SIZE 1024

static _Thread_local char error_text[TEXT_SIZE];

const char *tr_status_text(trStatus status) {
#define TR_STATUS_CASE(name, value, text) \
    case name:                            \
        return text;
    switch (status) { TR_STATUS_LIST(TR_STATUS_CASE) }
#undef TR_STATUS_CASE
    return "unknown status";
}

const char *tr_last_error(void) {
    return error_text;
}

const char *tr_version(void) {
    return TRAMMEL_VERSION;
}

// The new text may quote the present one.
trStatus tr_fail(trStatus status, const char *format, ...) {
    char    text[TEXT_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    snprintf(error_text, sizeof error_text, "%s", text);
    return status;
}

trStatus tr_blame(trStatus status, const char *format, ...) {
    char    old[TEXT_SIZE];
    va_list arguments;
    memcpy(old, error_text, sizeof old);
    va_start(arguments, format);
    int length = vsnprintf(error_text, sizeof error_text, format, arguments);
    va_end(arguments);
    if (length >= 0 && length < TEXT_SIZE) {
        snprintf(error_text + length, sizeof error_text - (size_t)length, "%s", old);
    }
    return status;
}

trStatus tr_add_hint(trStatus status, const char *format, ...) {
    size_t  length = strlen(error_text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error_text + length, sizeof error_text - length, format, arguments);
    va_end(arguments);
    return status;
}

trStatus tr_one_line(trStatus status) {
    tr_make_plain(error_text);
    return status;
}

trStatus tr_blame_thing(trStatus status, const char *origin, const char *family, const char *name) {
    if (name == NULL) {
        tr_blame(status, "%s: ", family);
    } else {
        tr_blame(status, "%s '%s': ", family, name);
    }
    return origin == NULL ? status : tr_blame(status, "%s: ", origin);
}
