// SPDX-License-Identifier: MIT
#include "report/reports.h"

#include <math.h>
#include <string.h>

#define TEXT_SIZE 1024

bool tr_listing_has(const trListing *l, trFamily family, int index) {
    trKindInfo info = tr_registry_at(family, index);
    return (l->name == NULL || strcmp(info.name, l->name) == 0) &&
           (l->dim == 0 || info.dim == 0 || info.dim == l->dim);
}

// --- JSON ---

// A field, with or without whether it is required.
static void add_field(trReport *r, const trFieldInfo *f, bool parameter) {
    bool text = strcmp(f->type, "text") == 0, truth = strcmp(f->type, "true or false") == 0;
    tr_report_text(r, "name", NULL, f->name);
    tr_report_text(r, "type", NULL, f->type);
    tr_report_text(r, "unit", NULL, f->unit);
    if (parameter) {
        tr_report_bool(r, "required", NULL, f->required);
        tr_report_number(r, "default", NULL, f->fallback, NULL);
    } else if (truth) {
        tr_report_bool(r, "default", NULL, f->fallback != 0.0);
    } else {
        tr_report_number(r, "default", NULL, text ? NAN : f->fallback, NULL);
    }
    if (!parameter) {
        tr_report_text(r, "left_out", NULL, f->left_out);
    }
    tr_report_text(r, "meaning", NULL, f->summary);
}

static void add_fields(trReport *r, trFamily family, int index, const char *key) {
    int count = tr_registry_at(family, index).fields;
    tr_report_open(r, key, NULL, TR_REPORT_ARRAY);
    for (int i = 0; i < count; i++) {
        trFieldInfo f = tr_registry_field(family, index, i);
        tr_report_open(r, NULL, NULL, 0);
        add_field(r, &f, family != TR_METHODS);
        tr_report_close(r);
    }
    tr_report_close(r);
}

#define GROUP_MEANS "group_means"  // in text only

static void add_fact(trReport *r, const trFact *f) {
    switch (f->kind) {
    case TR_FACT_BOOL:
        tr_report_bool(r, f->key, NULL, f->number != 0.0);
        break;
    case TR_FACT_INTEGER:
        tr_report_integer(r, f->key, NULL, (int64_t)f->number);
        break;
    case TR_FACT_NUMBER:
        tr_report_number(r, f->key, NULL, f->number, NULL);
        break;
    default:
        if (strcmp(f->key, GROUP_MEANS) != 0) {
            tr_report_text(r, f->key, NULL, f->text);
        }
    }
}

static void add_facts(trReport *r, const trKindInfo *info) {
    for (int i = 0; i < info->facts; i++) {
        const trFact *f = &info->fact[i];
        if (f->kind != TR_FACT_ITEM) {
            add_fact(r, f);
            continue;
        }
        tr_report_open(r, f->key, NULL, TR_REPORT_ARRAY);
        for (; i < info->facts && strcmp(info->fact[i].key, f->key) == 0; i++) {
            if (info->fact[i].text != NULL) {
                tr_report_text(r, NULL, NULL, info->fact[i].text);
            }
        }
        i--;
        tr_report_close(r);
    }
}

// A setting is its field, whether it is an option, and the kinds that read it.
static void add_setting(trReport *r, int index, const trKindInfo *info) {
    trFieldInfo field = tr_registry_field(TR_SETTINGS, index, 0);
    add_field(r, &field, false);
    add_fact(r, &info->fact[0]);
    tr_report_open(r, "read_by", NULL, TR_REPORT_ARRAY);
    for (int i = 1; i < info->facts; i++) {
        tr_report_open(r, NULL, NULL, 0);
        tr_report_text(r, "choice", NULL, info->fact[i].key);
        tr_report_text(r, "kind", NULL, info->fact[i].text);
        tr_report_close(r);
    }
    tr_report_close(r);
}

static void add_data(trReport *r, trFamily family, int index) {
    trKindInfo info = tr_registry_at(family, index);
    tr_report_open(r, NULL, NULL, TR_REPORT_DATA);
    if (family == TR_SETTINGS) {
        add_setting(r, index, &info);
    } else {
        tr_report_text(r, "name", NULL, info.name);
        if (info.title != NULL) {
            tr_report_text(r, family == TR_METHODS ? "group" : "title", NULL, info.title);
        }
        tr_report_text(r, "summary", NULL, info.summary);
        if (info.source != NULL) {
            tr_report_text(r, "source", NULL, info.source);
        }
        if (info.dim != 0) {
            tr_report_integer(r, "dim", NULL, info.dim);
        }
        add_facts(r, &info);
    }
    if (info.dim != 0) {
        add_fields(r, family, index, "parameters");
    } else if (family == TR_METHODS) {
        add_fields(r, family, index, "options");
    }
    tr_report_close(r);
}

// --- text ---

// What facts are in words. Facts that are not here are in JSON only; "%" is a number or a text.
static const struct {
    const char *key, *yes, *no;
} phrases[] = {
    {"depends_on_time", "depends on time", NULL},
    {"row_units", "rows [%]", NULL},
    {"bodies", "% bod{y|ies}", NULL},
    {"conservative", "conservative", NULL},
    {"for_joints", NULL, "for forces between ports; may diverge through joints"},
    {"modules_must_take", "modules accept %", NULL},
    {"order", "order %", NULL},
    {"adaptive", "adaptive step", "fixed step"},
    {"evaluations", "% evaluation{s} per step", NULL},
    {"implicit", "implicit", NULL},
    {"forms", "forms %", NULL},
    {"dense", "dense", "sparse"},
    {"redundant_rows", NULL, "no redundant rows"},
    {"singular_mass", NULL, "no singular mass"},
    {"nonholonomic", NULL, "no nonholonomic rows"},
    {"nonideal", NULL, "no friction from reactions"},
    {"singular_pose", NULL, "no singular poses"},
    {"depends_on_units", "depends on units", NULL},
    {"projection", "projection %", NULL},
    {"carry", "carry %", NULL},
    {"metric", "metric: %", NULL},
    {"velocities_only", "velocities only", NULL},
    {"orthonormal", "orthonormal", "not orthonormal"},
    {"continuous", "continuous from step to step", "jumps from step to step"},
};

// A list in words: "m, m, rad".
static const char *list_text(const trKindInfo *info, const char *key, char text[TEXT_SIZE]) {
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < info->facts; i++) {
        const trFact *f = &info->fact[i];
        if (strcmp(f->key, key) == 0 && f->text != NULL && used < TEXT_SIZE) {
            snprintf(text + used, TEXT_SIZE - used, "%s%s", used > 0 ? ", " : "", f->text);
            used += strlen(text + used);
        }
    }
    return text[0] != '\0' ? text : NULL;
}

// Its number among phrases, or -1.
static int phrase_of(const char *key) {
    int k = (int)(sizeof phrases / sizeof *phrases) - 1;
    while (k >= 0 && strcmp(phrases[k].key, key) != 0) {
        k--;
    }
    return k;
}

static void add_phrase(trReport *r, const trKindInfo *info, const trFact *f) {
    char text[TEXT_SIZE];
    int  k = phrase_of(f->key);
    if (k < 0) {
        return;
    }
    if (f->kind == TR_FACT_BOOL) {
        tr_report_text(r, NULL, "%", f->number != 0.0 ? phrases[k].yes : phrases[k].no);
    } else if (f->kind == TR_FACT_INTEGER) {
        tr_report_integer(r, NULL, phrases[k].yes, (int64_t)f->number);
    } else {
        tr_report_text(r, NULL, phrases[k].yes, list_text(info, f->key, text));
    }
}

// How many of a joint's rows hold velocities only.
static void add_nonholonomic(trReport *r, const trKindInfo *info) {
    int rows = 0, last = 0;
    for (int i = 0; i < info->facts; i++) {
        const trFact *f = &info->fact[i];
        rows += strcmp(f->key, "row_units") == 0 ? 1 : 0;
        last = strcmp(f->key, "nonholonomic_rows") == 0 ? (int)f->number : last;
    }
    if (last == rows && rows > 0) {
        tr_report_text(r, NULL, "%", "nonholonomic");
    } else if (last > 0) {
        tr_report_integer(r, NULL, "the last % nonholonomic", last);
    }
}

static void add_phrases(trReport *r, const trKindInfo *info) {
    const char *before = "";
    tr_report_open(r, NULL, "", TR_REPORT_LINE);
    for (int i = 0; i < info->facts; i++) {
        if (strcmp(info->fact[i].key, before) != 0) {
            add_phrase(r, info, &info->fact[i]);
        }
        before = info->fact[i].key;
    }
    add_nonholonomic(r, info);
    tr_report_close(r);
}

static void add_field_names(trReport *r, trFamily family, int index, int count) {
    tr_report_open(r, NULL, "", TR_REPORT_LINE);
    for (int i = 0; i < count; i++) {
        trFieldInfo f = tr_registry_field(family, index, i);
        tr_report_text(r, NULL, "%", f.name);
        tr_report_text(r, NULL, " [%]", f.unit[0] != '\0' ? f.unit : NULL);
    }
    tr_report_close(r);
}

// What holds where a field is not given.
static const char *default_of(const trFieldInfo *f, char text[TEXT_SIZE]) {
    bool number = strcmp(f->type, "text") != 0 && strncmp(f->type, "list", 4) != 0 &&
                  strstr(f->type, "law") == NULL;
    if (f->required || f->left_out != NULL) {
        return f->required ? "required" : f->left_out;
    }
    if (!number || isnan(f->fallback)) {
        return "optional";
    }
    if (strcmp(f->type, "true or false") == 0) {
        return f->fallback != 0.0 ? "true" : "false";
    }
    snprintf(text, TEXT_SIZE, "%g", f->fallback);
    return text;
}

static void add_field_table(trReport *r, trFamily family, int index, int count) {
    tr_report_open(r, NULL, "", 0);
    tr_report_open(r, NULL, "", TR_REPORT_TABLE);
    for (int i = 0; i < count; i++) {
        char        text[TEXT_SIZE];
        trFieldInfo f = tr_registry_field(family, index, i);
        tr_report_open(r, NULL, NULL, 0);
        tr_report_text(r, NULL, family == TR_METHODS ? "option" : "name", f.name);
        tr_report_text(r, NULL, "type", f.type);
        tr_report_text(r, NULL, "unit", f.unit);
        tr_report_text(r, NULL, "default", default_of(&f, text));
        tr_report_text(r, NULL, "meaning", f.summary);
        tr_report_close(r);
    }
    tr_report_close(r);
    tr_report_close(r);
}

// Facts for which there is no phrase, one a line.
static void add_all_facts(trReport *r, trFamily family, const trKindInfo *info) {
    const char *before = "";
    for (int i = 0; i < info->facts; i++) {
        const trFact *f = &info->fact[i];
        char          text[TEXT_SIZE], label[TEXT_SIZE];
        bool          same = strcmp(f->key, before) == 0, list = f->kind == TR_FACT_ITEM;
        before = f->key;
        snprintf(label, sizeof label, "%s", f->key);
        for (char *c = label; *c != '\0'; c++) {
            *c = *c == '_' ? ' ' : *c;
        }
        if (phrase_of(f->key) >= 0 || strcmp(f->key, GROUP_MEANS) == 0 || f->text == NULL) {
            continue;
        }
        if (list && family == TR_METHODS) {  // sentences
            tr_report_text(r, NULL, same ? "" : label, f->text);
        } else if (!list || !same) {
            tr_report_text(r, NULL, label, list ? list_text(info, f->key, text) : f->text);
        }
    }
}

static void add_entry(trReport *r, const trListing *l, trFamily family, int index) {
    trKindInfo info = tr_registry_at(family, index);
    tr_report_text(r, NULL, info.name, info.summary);
    add_phrases(r, &info);
    if (l->name == NULL) {
        if (family != TR_METHODS && family != TR_SETTINGS) {
            add_field_names(r, family, index, info.fields);
        }
    } else {
        add_all_facts(r, family, &info);
    }
    tr_report_text(r, NULL, l->name == NULL ? "" : "source", info.source);
    if (l->name != NULL) {
        add_field_table(r, family, index, info.fields);
    }
}

// "planar joints", "stage projections", or what a group of methods is.
static void add_heading(trReport *r, trFamily family, const trKindInfo *info, bool begun) {
    const char *before = begun ? "\n" : "";
    const char *name = family == TR_MODEL_PARTS ? "fields"  // JSON keeps the former names
                       : family == TR_COUPLINGS ? "couplings"
                                                : tr_family_name(family);
    if (family == TR_METHODS) {
        tr_report_note(r, NULL, "%s%s: %s", before, info->title, info->fact[0].text);
    } else if (info->dim != 0) {
        tr_report_note(r, NULL, "%s%s %s", before, info->dim == 2 ? "planar" : "spatial", name);
    } else {
        int length = (int)strcspn(name, "_");
        tr_report_note(r, NULL, "%s%.*s%s%s", before, length, name, name[length] != '\0' ? " " : "",
                       name + length + (name[length] != '\0' ? 1 : 0));
    }
}

// The kinds of a family and a dimension under a heading; those of methods under that of each group.
static void add_words(trReport *r, const trListing *l, trFamily family, int dim, bool *begun) {
    trKindInfo last = {0};
    tr_report_open(r, NULL, NULL, TR_REPORT_WORDS);
    for (int i = 0; i < tr_registry_count(family); i++) {
        trKindInfo info = tr_registry_at(family, i);
        if (!tr_listing_has(l, family, i) || info.dim != dim) {
            continue;
        }
        if (last.name == NULL || (family == TR_METHODS && last.title != info.title)) {
            tr_report_close(r);
            tr_report_open(r, NULL, NULL, TR_REPORT_WORDS);
            add_heading(r, family, &info, *begun);
            *begun = true;
        }
        last = info;
        add_entry(r, l, family, i);
    }
    tr_report_close(r);
}

trReport *tr_report_listing(const trListing *l) {
    trReport *r = tr_report_create();
    bool      begun = false;
    if (r == NULL) {
        return NULL;
    }
    for (int k = 0; k < l->families; k++) {
        trFamily family = l->family[k];
        tr_report_open(r, tr_family_name(family), NULL, TR_REPORT_ARRAY);
        for (int i = 0; i < tr_registry_count(family); i++) {
            if (tr_listing_has(l, family, i)) {
                add_data(r, family, i);
            }
        }
        tr_report_close(r);
        for (int dim = 0; dim <= 3; dim += dim == 0 ? 2 : 1) {
            add_words(r, l, family, dim, &begun);
        }
    }
    return r;
}
