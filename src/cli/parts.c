// SPDX-License-Identifier: MIT
// `trammel parts`: the parameters of a model, a body and a frame, and those that every joint and
// every force takes whatever its kind.

#include "cli/cli.h"
#include "model/model.h"

#define MOST_FIELDS 24  // of one part

typedef struct Part {
    const char    *name;
    int            dim;
    const char    *summary;
    const trField *own;     // keys that m:NAME{} itself reads
    const trField *fields;  // of the parameter struct; NULL: none
} Part;

#define TEXT(key, flags, help) \
    { key, TR_FIELD_TEXT, flags, 0, 0.0, "", help, NULL, NULL }

static const trField none[] = {TR_FIELD_END};
static const trField owner[] = {
    TEXT("name", TR_REQUIRED, "unique among bodies and frames"),
    TR_FIELD_END,
};

#define REPORT                                                                                  \
    TEXT("report", 0,                                                                           \
         "frame at whose origin and in whose axes the reaction is given; default: the joint's " \
         "point, world axes")
#define NAME(example) \
    TEXT("name", 0, "unique among its like; default: made from the kind, as " example)

static const trField joint2[] = {
    NAME("revolute1"),
    TEXT("frame1", 0, "frame of body 1 that stands for point1 and, unless given, axis1: its x"),
    TEXT("frame2", 0, "frame of body 2 that stands for point2 and, unless given, axis2: its x"),
    REPORT,
    TR_FIELD_END,
};
static const trField joint3[] = {
    NAME("revolute1"),
    TEXT("frame1", 0, "frame of body 1 that stands for point1 and, unless given, axis1: its z"),
    TEXT("frame2", 0, "frame of body 2 that stands for point2 and, unless given, axis2: its z"),
    REPORT,
    TR_FIELD_END,
};
static const trField force[] = {NAME("spring1"), TR_FIELD_END};

static const char of_model[] = "keys of model{}";
static const char of_body[] = "keys of m:body{}";
static const char of_frame[] = "keys of m:frame{} after its body: a point with axes, fixed in it";
static const char of_port[] =
    "keys of m:port{} after its body: a frame that other modules are glued to";
static const char of_joint[] = "keys of every m:joint{} after kind and bodies";
static const char of_force[] = "keys of every m:force{} after kind and bodies";

static const Part parts[] = {
    {"model", 2, of_model, none, tr_model_fields},
    {"model", 3, of_model, none, tr_model3_fields},
    {"body", 2, of_body, owner, tr_body_fields},
    {"body", 3, of_body, owner, tr_body3_fields},
    {"frame", 2, of_frame, owner, tr_frame_fields},
    {"frame", 3, of_frame, owner, tr_frame3_fields},
    {"port", 2, of_port, owner, tr_frame_fields},
    {"port", 3, of_port, owner, tr_frame3_fields},
    {"joint", 2, of_joint, joint2, NULL},
    {"joint", 3, of_joint, joint3, NULL},
    {"force", 2, of_force, force, NULL},
    {"force", 3, of_force, force, NULL},
};

static int count(void) {
    return (int)(sizeof parts / sizeof *parts);
}

static const char *name(int index) {
    return parts[index].name;
}

static int dim(int index) {
    return parts[index].dim;
}

// Both tables after each other.
static void join(const Part *part, trField out[MOST_FIELDS]) {
    const trField *const tables[] = {part->own, part->fields};
    int                  n = 0;
    for (int k = 0; k < 2; k++) {
        for (const trField *f = tables[k]; f != NULL && f->name != NULL && n < MOST_FIELDS - 1;
             f++) {
            out[n++] = *f;
        }
    }
    out[n] = (trField)TR_FIELD_END;
}

static void print(FILE *file, int index, bool full) {
    trField fields[MOST_FIELDS];
    join(&parts[index], fields);
    fprintf(file, "  %-18s %s\n", parts[index].name, parts[index].summary);
    if (full) {
        tr_cli_field_table(file, fields);
    } else {
        fprintf(file, "  %-18s ", "");
        tr_cli_field_names(file, fields);
        fputc('\n', file);
    }
}

static void json(trJson *out, int index) {
    trField fields[MOST_FIELDS];
    join(&parts[index], fields);
    tr_json_text(out, "name", parts[index].name);
    tr_json_text(out, "summary", parts[index].summary);
    tr_json_integer(out, "dim", parts[index].dim);
    tr_cli_field_json(out, "parameters", fields);
}

static void help(FILE *file) {
    fputs("  trammel parts body\n\n"
          "usage: trammel parts [NAME] [--dim 2|3] [--json]\n\n"
          "Lists the keys of models, bodies, frames and ports in a model file, and those of all\n"
          "joints and forces, planar (dim = 2) and spatial (dim = 3). 'trammel joints' and\n"
          "'trammel forces' list the keys of single kinds.\n",
          file);
}

static trExit run(int argc, char **argv) {
    static const trListing listing = {"parts", count, name, dim, print, json};
    return tr_cli_list(argc, argv, help, 1, &listing);
}

const trCommand tr_command_parts = {
    .name = "parts",
    .summary = "keys of models, bodies, frames, ports, and of all joints and forces",
    .help = help,
    .run = run,
};
