// SPDX-License-Identifier: MIT
// Listings of registries, for a person and as JSON, with the parameters of each kind.

#include <math.h>
#include <string.h>

#include "base/spell.h"
#include "cli/cli.h"

static const char *fallback_text(const trField *field, char *buffer, size_t size) {
    bool numeric = field->kind == TR_FIELD_REAL || field->kind == TR_FIELD_INT ||
                   field->kind == TR_FIELD_BOOL || field->kind == TR_FIELD_VEC2 ||
                   field->kind == TR_FIELD_VEC3 || field->kind == TR_FIELD_FUNCTION;
    if ((field->flags & TR_REQUIRED) != 0) {
        return "required";
    }
    if (!numeric || isnan(field->fallback)) {
        return "optional";
    }
    if (field->kind == TR_FIELD_BOOL) {
        return field->fallback != 0.0 ? "true" : "false";
    }
    snprintf(buffer, size, "%g", field->fallback);
    return buffer;
}

void tr_cli_field_names(FILE *file, const trField *fields) {
    for (const trField *f = fields; f != NULL && f->name != NULL; f++) {
        bool unit = f->unit != NULL && f->unit[0] != '\0';
        fprintf(file, "%s%s", f == fields ? "" : ", ", f->name);
        if (unit) {
            fprintf(file, " [%s]", f->unit);
        }
    }
}

void tr_cli_field_table(FILE *file, const trField *fields) {
    char buffer[32];
    if (fields == NULL || fields->name == NULL) {
        return;
    }
    fprintf(file, "    %-18s %-22s %-10s %-10s %s\n", "parameter", "type", "unit", "default",
            "meaning");
    for (const trField *f = fields; f->name != NULL; f++) {
        fprintf(file, "    %-18s %-22s %-10s %-10s %s\n", f->name, tr_field_type_text(f->kind),
                f->unit != NULL ? f->unit : "", fallback_text(f, buffer, sizeof buffer), f->help);
    }
}

void tr_cli_field_json(trJson *json, const char *key, const trField *fields) {
    tr_json_array(json, key);
    for (const trField *f = fields; f != NULL && f->name != NULL; f++) {
        tr_json_object(json, NULL);
        tr_json_text(json, "name", f->name);
        tr_json_text(json, "type", tr_field_type_text(f->kind));
        tr_json_text(json, "unit", f->unit);
        tr_json_bool(json, "required", (f->flags & TR_REQUIRED) != 0);
        tr_json_number(json, "default", f->fallback);
        tr_json_text(json, "meaning", f->help);
        tr_json_close(json);
    }
    tr_json_close(json);
}

typedef struct Names {
    int              count;
    const trListing *listings;
} Names;

// The i-th name of all listings after each other.
static const char *name_at(const void *context, int i) {
    const Names *names = context;
    for (int k = 0; k < names->count; k++) {
        int here = names->listings[k].count();
        if (i < here) {
            return names->listings[k].name(i);
        }
        i -= here;
    }
    return "";
}

static bool is_wanted(const trListing *listing, int index, const char *wanted) {
    return wanted == NULL || strcmp(listing->name(index), wanted) == 0;
}

static bool check_name(const char *command, const char *wanted, const Names *names) {
    int total = 0;
    for (int k = 0; k < names->count; k++) {
        int here = names->listings[k].count();
        for (int i = 0; i < here; i++) {
            if (is_wanted(&names->listings[k], i, wanted)) {
                return true;
            }
        }
        total += here;
    }
    const char *near = tr_spell_nearest(wanted, total, name_at, names);
    if (near != NULL) {
        tr_cli_error("%s: there is no '%s'; did you mean '%s'?", command, wanted, near);
    } else {
        tr_cli_error("%s: there is no '%s'; 'trammel %s' lists what there is", command, wanted,
                     command);
    }
    return false;
}

static void print_all(FILE *file, const Names *names, const char *wanted) {
    for (int k = 0; k < names->count; k++) {
        const trListing *listing = &names->listings[k];
        if (wanted == NULL) {
            fprintf(file, "%s%s\n", k > 0 ? "\n" : "", listing->title);
        }
        for (int i = 0; i < listing->count(); i++) {
            if (is_wanted(listing, i, wanted)) {
                listing->print(file, i, wanted != NULL);
            }
        }
    }
}

static void json_all(FILE *file, const Names *names, const char *wanted) {
    trJson json = tr_json_begin(file);
    for (int k = 0; k < names->count; k++) {
        const trListing *listing = &names->listings[k];
        tr_json_array(&json, listing->title);
        for (int i = 0; i < listing->count(); i++) {
            if (is_wanted(listing, i, wanted)) {
                tr_json_object(&json, NULL);
                listing->json(&json, i);
                tr_json_close(&json);
            }
        }
        tr_json_close(&json);
    }
    tr_json_end(&json);
}

trExit tr_cli_list(int argc, char **argv, void (*help)(FILE *), int count,
                   const trListing *listings) {
    static const struct option options[] = {
        {"json", no_argument, NULL, 'j'},
        {"help", no_argument, NULL, 'h'},
        {0},
    };
    const Names names = {count, listings};
    bool        json = false;
    for (int value; (value = tr_cli_option(argc, argv, ":h", options)) != -1;) {
        if (value == 'h') {
            help(stdout);
            return TR_EXIT_DONE;
        }
        if (value == TR_CLI_BAD_OPTION) {
            return TR_EXIT_USAGE;
        }
        json = true;
    }
    if (argc - optind > 1) {
        tr_cli_error("%s: takes one name at most, not '%s' as well", argv[0], argv[optind + 1]);
        return TR_EXIT_USAGE;
    }
    const char *wanted = argv[optind];
    if (wanted != NULL && !check_name(argv[0], wanted, &names)) {
        return TR_EXIT_USAGE;
    }
    if (json) {
        json_all(stdout, &names, wanted);
    } else {
        print_all(stdout, &names, wanted);
    }
    return TR_EXIT_DONE;
}
