// SPDX-License-Identifier: MIT
// A check in words.

#include "cli/check_words.h"

#include <string.h>

#define MOST_SETS 8    // of one kind that are printed
#define MOST_LINES 20  // of a list

static int at_most(int count, int most) {
    return count > most + 1 ? most : count;  // the line "and 1 more" would save nothing
}

static void print_rest(FILE *file, int count, int printed, const char *what) {
    if (count > printed) {
        fprintf(file, "  and %d more%s; --json lists all\n", count - printed, what);
    }
}

static const char *plural(int count) {
    return count == 1 ? "" : "s";
}

// The longest name of joints, for columns.
static int name_width(const trCheck *c) {
    int width = 0;
    for (int i = 0; i < c->loads; i++) {
        int length = (int)strlen(c->load[i].joint);
        width = length > width ? length : width;
    }
    return width > 30 ? 30 : width;
}

static void print_counts(FILE *file, const trCheckReport *r) {
    const trCheck *c = r->check;
    fprintf(file, "%s (%s)\n", tr_system_name(r->loaded->system), r->loaded->path);
    fprintf(file, "  %d degree%s of freedom%s: %d velocities, %d constraint row%s of rank %d\n",
            c->degrees_of_freedom, plural(c->degrees_of_freedom),
            c->singular ? " in this pose" : "", c->velocities, c->rows, plural(c->rows), c->rank);
    if (c->singular) {
        fprintf(file, "  %d along the motion\n", c->velocities - c->rank_elsewhere);
    }
    if (c->free_positions != c->degrees_of_freedom) {
        fprintf(file, "  %d of positions: some rows hold velocities only\n", c->free_positions);
    }
    if (!c->assembled) {
        fputs("  the joints cannot be closed: all that follows is about the pose as it is given\n",
              file);
    }
}

static void print_set(FILE *file, const trCheckSet *set, int width) {
    for (int i = 0; i < set->parts; i++) {
        const trCheckPart *part = &set->part[i];
        fprintf(file, "    %-*s  %s: %s\n", width, part->joint, part->kind, part->blocked.text);
    }
    for (int i = 0; i < set->fixes; i++) {
        fprintf(file, "  %s %s\n", i == 0 ? "to remove it:" : "         and:", set->fix[i].text);
    }
}

static void print_redundant(FILE *file, const trCheck *c) {
    if (c->redundant == 0) {
        return;
    }
    const char *where = c->poses > 0                 ? "in this pose and along the motion"
                        : c->degrees_of_freedom == 0 ? "in the one pose that there is"
                                                     : "in this pose";
    if (c->singular) {
        where = "all along the motion";
    }
    fprintf(file, "\n%d redundant row%s, %s\n", c->redundant, plural(c->redundant), where);
    int shown = at_most(c->sets, MOST_SETS);
    for (int i = 0; i < shown; i++) {
        int many = c->set[i].redundancy;
        fprintf(file, "  %d row%s too many:\n", many, plural(many));
        print_set(file, &c->set[i], name_width(c));
    }
    print_rest(file, c->sets, shown, " sets");
}

// Ways in which the motion goes on belong here.
// Each by the velocities along it, scaled.
static void print_branches(FILE *file, const trBranches *b) {
    if (b->count == 0) {
        return;
    }
    fprintf(file, "  %s%d way%s on (--branch N follows one):\n", b->more ? "at least " : "",
            b->count, plural(b->count));
    int shown = at_most(b->count, MOST_SETS);
    for (int i = 0; i < shown; i++) {
        const trBranch *branch = &b->branch[i];
        fprintf(file, "    %d  %s\n", i + 1, branch->words);
        if (branch->loose > 0) {
            fprintf(file,
                    "       along it %s stays possible to first order: loads there have no "
                    "finite reaction\n",
                    branch->loose_words);
        }
    }
    print_rest(file, b->count, shown, " ways");
    if (b->unresolved) {
        fputs("    and others that are no linear spaces of velocities\n", file);
    }
}

static void print_singular(FILE *file, const trCheck *c) {
    if (!c->singular) {
        return;
    }
    fprintf(file, "\nsingular pose: rank %d here, %d along the motion\n", c->rank,
            c->rank_elsewhere);
    int shown = at_most(c->lost, MOST_SETS);
    for (int i = 0; i < shown; i++) {
        int lost = c->lost_set[i].redundancy;
        fprintf(file, "  %d row%s lost in this pose:\n", lost, plural(lost));
        print_set(file, &c->lost_set[i], name_width(c));
    }
    print_rest(file, c->lost, shown, " sets");
    print_branches(file, &c->branches);
    if (c->velocities > TR_CHECK_BRANCHES_LIMIT) {
        fprintf(file, "  its ways on are not looked for: more than %d velocities\n",
                TR_CHECK_BRANCHES_LIMIT);
    }
}

static void print_loads(FILE *file, const trCheck *c) {
    int open = 0;
    for (int i = 0; i < c->loads; i++) {
        open += c->load[i].unique ? 0 : 1;
    }
    if (c->loads == 0) {
        return;
    }
    if (open == 0) {
        fputs("\nall reactions are unique\n", file);
        return;
    }
    fprintf(file, "\nreactions%s\n", open < c->loads ? "; all others are unique" : "");
    int shown = at_most(open, MOST_LINES), said = 0;
    for (int i = 0; i < c->loads && said < shown; i++) {
        if (!c->load[i].unique) {
            said++;
            fprintf(file, "    %-*s  %s\n", name_width(c), c->load[i].joint, c->load[i].text);
        }
    }
    print_rest(file, open, shown, "");
}

static void print_amount(FILE *file, double value, const char *unit, const char *per, int *said) {
    if (value > 0.0) {
        fprintf(file, "%s%.3g%s%s%s", (*said)++ > 0 ? ", " : "", value, unit[0] != '\0' ? " " : "",
                unit,
                unit[0] != '\0' ? per
                : *per != '\0'  ? " 1/s"
                                : "");
    }
}

#define WORTH_A_WORD 1e-9  // [m], [rad], ...

static void print_change(FILE *file, const trCorrection *change, const char *what) {
    if (change->unit != NULL && change->value > WORTH_A_WORD) {
        fprintf(file, "  a run %s %s by %.3g%s%s to close that\n", what, change->body,
                change->value, change->unit[0] != '\0' ? " " : "", change->unit);
    }
}

static void print_start(FILE *file, const trCheck *c) {
    if (c->gaps == 0) {
        return;
    }
    fputs("\nthe start as given is off by\n", file);
    for (int i = 0; i < c->gaps; i++) {
        const trCheckGap *g = &c->gap[i];
        int               said = 0;
        fprintf(file, "    %-*s  ", name_width(c), g->joint);
        print_amount(file, g->length, "m", "", &said);
        print_amount(file, g->angle, "rad", "", &said);
        print_amount(file, g->other, g->unit, "", &said);
        print_amount(file, g->length_rate, "m", "/s", &said);
        print_amount(file, g->angle_rate, "rad", "/s", &said);
        print_amount(file, g->other_rate, g->unit, "/s", &said);
        fputc('\n', file);
    }
    if (c->unfit == NULL) {
        print_change(file, &c->moved, "moves");
        print_change(file, &c->changed, "changes the velocity of");
    }
}

// What has a section of its own is not repeated.
static bool has_section(const trFinding *f) {
    return strcmp(f->topic, "redundant") == 0 || strcmp(f->topic, "singular") == 0;
}

// How many of the first `count` findings are immobile bodies: of a truss, all of them.
static int immobile_among(const trCheck *c, int count) {
    int found = 0;
    for (int i = 0; i < count; i++) {
        found += strcmp(c->finding[i].topic, "immobile") == 0 ? 1 : 0;
    }
    return found;
}

static void print_findings(FILE *file, const trCheck *c) {
    static const char *const word[] = {
        [TR_NOTE] = "note", [TR_WARNING] = "warning", [TR_PREVENTS] = "error"};
    int said = 0, still = immobile_among(c, c->findings), shown = at_most(still, MOST_SETS);
    for (int i = 0; i < c->findings; i++) {
        const trFinding *f = &c->finding[i];
        bool             cut = strcmp(f->topic, "immobile") == 0 && immobile_among(c, i) >= shown;
        if (!has_section(f) && !cut) {
            fprintf(file, "%s%s: %s: %s%s%s\n", said++ == 0 ? "\n" : "", word[f->severity], f->part,
                    f->reason, f->remedy[0] != '\0' ? "; " : "", f->remedy);
        }
    }
    print_rest(file, still, shown, " that cannot move");
}

void tr_check_print(FILE *file, const trCheckReport *r) {
    const trCheck *c = r->check;
    print_counts(file, r);
    print_redundant(file, c);
    print_singular(file, c);
    print_loads(file, c);
    if (c->rank > 0) {
        fprintf(file, "smallest singular value of the constraints: %.3g, %.2g of the largest\n",
                c->smallest, c->ratio);
    }
    print_start(file, c);
    print_findings(file, c);
    fprintf(file, "\n%s\n", c->prevents ? "no run begins" : "nothing prevents a run");
}
