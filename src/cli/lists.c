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

// What the command line asks for.
typedef struct Wish {
    const char *name;  // NULL: all
    int         dim;   // 0: both
    bool        json, help;
    bool        headings;  // the name alone does not tell what an entry is
} Wish;

static bool is_wanted(const trListing *listing, int index, const Wish *wish) {
    return (wish->name == NULL || strcmp(listing->name(index), wish->name) == 0) &&
           (wish->dim == 0 || listing->dim == NULL || listing->dim(index) == wish->dim);
}

static const char *dim_word(int dim) {
    return dim == 2 ? "planar" : "spatial";
}

static bool has_wanted(const Names *names, const Wish *wish) {
    for (int k = 0; k < names->count; k++) {
        for (int i = 0; i < names->listings[k].count(); i++) {
            if (is_wanted(&names->listings[k], i, wish)) {
                return true;
            }
        }
    }
    return false;
}

static bool check_name(const char *command, const Wish *wish, const Names *names) {
    const Wish anywhere = {.name = wish->name};
    int        total = 0;
    if (has_wanted(names, wish)) {
        return true;
    }
    if (has_wanted(names, &anywhere)) {
        tr_cli_error("%s: there is no %s '%s', only a %s one; leave out --dim", command,
                     dim_word(wish->dim), wish->name, dim_word(5 - wish->dim));
        return false;
    }
    for (int k = 0; k < names->count; k++) {
        total += names->listings[k].count();
    }
    const char *near = tr_spell_nearest(wish->name, total, name_at, names);
    if (near != NULL) {
        tr_cli_error("%s: there is no '%s'; did you mean '%s'?", command, wish->name, near);
    } else {
        tr_cli_error("%s: there is no '%s'; 'trammel %s' lists what there is", command, wish->name,
                     command);
    }
    return false;
}

// "stage_projections" of JSON is "stage projections" here.
static void print_title(FILE *file, const char *title) {
    for (const char *c = title; *c != '\0'; c++) {
        fputc(*c == '_' ? ' ' : *c, file);
    }
    fputc('\n', file);
}

// The wanted entries under a heading; `more` says whether something stands above.
static bool print_group(FILE *file, const trListing *listing, const Wish *wish, bool more) {
    bool heading = wish->name == NULL || wish->headings || listing->dim != NULL, any = false;
    for (int i = 0; i < listing->count(); i++) {
        if (!is_wanted(listing, i, wish)) {
            continue;
        }
        if (heading && !any) {
            fprintf(file, "%s%s%s", more ? "\n" : "",
                    listing->dim != NULL ? dim_word(wish->dim) : "",
                    listing->dim != NULL ? " " : "");
            print_title(file, listing->title);
        }
        any = true;
        listing->print(file, i, wish->name != NULL);
    }
    return more || any;
}

static void print_all(FILE *file, const Names *names, const Wish *wish) {
    bool more = false;
    for (int k = 0; k < names->count; k++) {
        const trListing *listing = &names->listings[k];
        if (listing->dim == NULL) {
            more = print_group(file, listing, wish, more);
            continue;
        }
        for (int dim = 2; dim <= 3; dim++) {
            Wish here = *wish;
            here.dim = dim;
            if (wish->dim == 0 || wish->dim == dim) {
                more = print_group(file, listing, &here, more);
            }
        }
    }
}

static void json_all(FILE *file, const Names *names, const Wish *wish) {
    trJson json = tr_json_begin(file);
    for (int k = 0; k < names->count; k++) {
        const trListing *listing = &names->listings[k];
        tr_json_array(&json, listing->title);
        for (int i = 0; i < listing->count(); i++) {
            if (is_wanted(listing, i, wish)) {
                tr_json_object(&json, NULL);
                listing->json(&json, i);
                tr_json_close(&json);
            }
        }
        tr_json_close(&json);
    }
    tr_json_end(&json);
}

static bool read_dim(const char *command, const char *text, int *dim) {
    if (strcmp(text, "2") != 0 && strcmp(text, "3") != 0) {
        tr_cli_error("%s: option '--dim': '%s' is neither 2 (planar) nor 3 (spatial)", command,
                     text);
        return false;
    }
    *dim = text[0] - '0';
    return true;
}

static bool read_wish(int argc, char **argv, bool with_dim, Wish *wish) {
    static const struct option all[] = {
        {"dim", required_argument, NULL, 'd'},
        {"json", no_argument, NULL, 'j'},
        {"help", no_argument, NULL, 'h'},
        {0},
    };
    const struct option *options = with_dim ? all : all + 1;
    for (int value; (value = tr_cli_option(argc, argv, ":h", options)) != -1;) {
        if (value == TR_CLI_BAD_OPTION ||
            (value == 'd' && !read_dim(argv[0], optarg, &wish->dim))) {
            return false;
        }
        wish->help = wish->help || value == 'h';
        wish->json = wish->json || value == 'j';
    }
    if (argc - optind > 1) {
        tr_cli_error("%s: takes one name at most, not '%s' as well", argv[0], argv[optind + 1]);
        return false;
    }
    wish->name = argv[optind];
    return true;
}

trExit tr_cli_list(int argc, char **argv, void (*help)(FILE *), int count,
                   const trListing *listings) {
    const Names names = {count, listings};
    Wish        wish = {.headings = count > 1};
    if (!read_wish(argc, argv, listings[0].dim != NULL, &wish)) {
        return TR_EXIT_USAGE;
    }
    if (wish.help) {
        help(stdout);
        return TR_EXIT_DONE;
    }
    if (wish.name != NULL && !check_name(argv[0], &wish, &names)) {
        return TR_EXIT_USAGE;
    }
    if (wish.json) {
        json_all(stdout, &names, &wish);
    } else {
        print_all(stdout, &names, &wish);
    }
    return TR_EXIT_DONE;
}
