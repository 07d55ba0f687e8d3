// SPDX-License-Identifier: MIT
// The words around the tables of a comparison.

#include <math.h>
#include <string.h>

#include "cli/compare_parts.h"

#define TEXT_WIDTH 96

#define GREEN "\033[32m"
#define RED "\033[31m"
#define PLAIN "\033[0m"

const char *tr_compare_state_name(trCompareState state) {
    static const char *const names[] = {
        [TR_COMPARE_WAITING] = "waiting", [TR_COMPARE_SKIPPED] = "skipped",
        [TR_COMPARE_REFUSED] = "refused", [TR_COMPARE_FAILED] = "failed",
        [TR_COMPARE_DONE] = "done",
    };
    return names[state];
}

void tr_compare_unit(const trCompare *c, int level, char text[48]) {
    static const char *const per[TR_COMPARE_LEVELS] = {"", "/s", "/s^2"};
    bool                     both = strcmp(c->row_unit, "m or rad") == 0;
    snprintf(text, 48, both ? "m%s or rad%s" : "%s%s", both ? per[level] : c->row_unit,
             c->row_unit[0] != '\0' ? per[level] : "");
}

static int count_same(const trCompare *c, const trCompareRow *row) {
    int count = 0;
    for (int i = 0; i < c->rows; i++) {
        count += c->row[i].same_as == row - c->row;
    }
    return row->sweep ? 0 : count;
}

const char *tr_compare_name(const trCompare *c, const trCompareRow *row,
                            char text[TR_COMPARE_NAME]) {
    int count = count_same(c, row);
    snprintf(text, TR_COMPARE_NAME, count > 0 ? "%s +%d" : "%s", row->label, count);
    return text;
}

void tr_compare_print_name(FILE *file, const trCompareReport *r, const trCompareRow *row,
                           int width) {
    const trCompare *c = r->compare;
    bool        best = c->recommended >= 0 && strcmp(row->label, c->row[c->recommended].label) == 0;
    bool        failed = row->state == TR_COMPARE_FAILED;
    const char *color = failed ? RED : best ? GREEN : "";
    bool        colored = r->color && color[0] != '\0';
    char        name[TR_COMPARE_NAME];
    fprintf(file, "  %s%-*s%s", colored ? color : "", width, tr_compare_name(c, row, name),
            colored ? PLAIN : "");
}

// Breaks lines between words.
static void print_text(FILE *file, const char *text, int indent) {
    int at = 0;
    for (const char *word = text; *word != '\0';) {
        int length = (int)strcspn(word, " ");
        if (at > 0 && at + 1 + length > TEXT_WIDTH - indent) {
            fprintf(file, "\n%*s", indent, "");
            at = 0;
        }
        fprintf(file, "%s%.*s", at > 0 ? " " : "", length, word);
        at += length + (at > 0);
        word += length;
        word += strspn(word, " ");
    }
    fputc('\n', file);
}

static bool is_headed(const trCompareRow *row) {
    return row->shown && !row->sweep;
}

// Integrators with a fixed step, or without, each once: ", park_chiou, rattle and rattle4".
// Returns the settings of one of them; NULL: there are none.
static const trSimDef *put_names(char *text, size_t size, const trCompare *c, bool fixed) {
    const char     *name[16] = {NULL};
    const trSimDef *def = NULL;
    int             names = 0, used = 0;
    for (int i = 0; i < c->rows; i++) {
        const trCompareRow *row = &c->row[i];
        bool                known = !is_headed(row) || row->fixed != fixed;
        for (int k = 0; k < names; k++) {
            known |= strcmp(name[k], row->def.integrator) == 0;
        }
        if (!known && names < 16) {
            name[names++] = row->def.integrator;
            def = &row->def;
        }
    }
    text[0] = '\0';
    for (int k = 0; k < names; k++) {
        const char *before = k == 0 ? ", " : k == names - 1 ? " and " : ", ";
        used += snprintf(text + used, size - (size_t)used, "%s%s", before, name[k]);
    }
    return def;
}

// "2 methods"; nothing for none.
static int put_count(char *text, size_t size, int count, const char *what) {
    return count > 0 ? snprintf(text, size, "%d %s%s", count, what, count == 1 ? "" : "s") : 0;
}

static void print_methods(FILE *file, const trCompareReport *r) {
    const trCompare *c = r->compare;
    const char      *name = tr_system_name(c->system);
    char             text[2 * TR_COMPARE_TEXT];
    char             names[TR_COMPARE_TEXT];
    int              methods = 0, integrators = 0, used = 0;
    for (int i = 0; i < c->rows; i++) {
        bool headed = is_headed(&c->row[i]), method = c->row[i].def.method != NULL;
        methods += headed && method;
        integrators += headed && !method;
    }
    used =
        snprintf(text, sizeof text, "%.*s: ", TR_COMPARE_TEXT / 2, name != NULL ? name : r->path);
    used += put_count(text + used, sizeof text - (size_t)used, methods, "method");
    if (integrators > 0) {
        used += snprintf(text + used, sizeof text - (size_t)used, "%s", methods > 0 ? " and " : "");
        used += put_count(text + used, sizeof text - (size_t)used, integrators, "integrator");
    }
    used += snprintf(text + used, sizeof text - (size_t)used, ", %g s", c->base.duration);
    const trSimDef *def = put_names(names, sizeof names, c, false);
    if (def != NULL) {
        used += snprintf(text + used, sizeof text - (size_t)used, "%s with rtol %g and atol %g",
                         names, def->rtol, def->atol);
    }
    def = put_names(names, sizeof names, c, true);
    if (def != NULL) {
        used += snprintf(text + used, sizeof text - (size_t)used, "%s with a step of %g s%s", names,
                         def->step, c->step_chosen ? " (chosen; --step gives another)" : "");
    }
    if (c->replaced != NULL) {
        snprintf(text + used, sizeof text - (size_t)used,
                 "; not with %s, the model's, which takes no method", c->replaced);
    }
    print_text(file, text, 0);
}

static void print_reference(FILE *file, const trCompare *c) {
    const trReference *r = &c->reference;
    char               text[2 * TR_COMPARE_TEXT];
    int                used = 0;
    if (r->count == 0) {
        snprintf(text, sizeof text, "no reference: %s", r->reason);
        print_text(file, text, 0);
        return;
    }
    const trGap *doubt = &r->doubt[r->count - 1];
    used = snprintf(text, sizeof text, "reference: %s%s%s at %.0e and %.0e%s", r->integrator,
                    r->method != NULL ? " with " : "", r->method != NULL ? r->method : "",
                    r->tolerance[0], r->tolerance[1], r->stiff ? " (the equations are stiff)" : "");
    if (tr_compare_is_general(c)) {
        used += snprintf(text + used, sizeof text - (size_t)used, ", %.1e apart (relative)",
                         doubt->general);
    } else {
        used += snprintf(text + used, sizeof text - (size_t)used, ", %.1e m and %.1e rad apart",
                         doubt->length, doubt->angle);
    }
    if (r->count < c->times) {
        snprintf(text + used, sizeof text - (size_t)used, "; it ends at t = %.4g s: %s",
                 c->time[r->count - 1], r->reason);
    }
    print_text(file, text, 0);
}

// Signs in the tables.
static void print_legend(FILE *file, const trCompare *c) {
    bool bound = false, early = false, folded = false;
    for (int i = 0; i < c->rows; i++) {
        const trCompareRow *row = &c->row[i];
        bool                counts = row->shown && row->measured;
        bound |= counts && row->bound;
        folded |= row->shown && row->same_as >= 0;
        early |= counts && row->trusted_until < c->time[c->times - 1];
    }
    if (folded) {
        print_text(file, "+1, +2, ...: as many methods more have the same figures but for time", 0);
    }
    if (bound) {
        print_text(file, "< as good as the reference: the figure is a bound of the error", 0);
    }
    if (early) {
        print_text(file,
                   "until: errors count up to this time; later the two references differ by more "
                   "than a tenth of the error",
                   0);
    }
    if (c->time_unit != NULL) {
        fprintf(file, "time: of the processor, as a multiple of %s; the fastest of %d run%s\n",
                c->time_unit, c->turns, c->turns == 1 ? "" : "s");
    }
}

void tr_compare_print_heading(FILE *file, const trCompareReport *r) {
    print_methods(file, r);
    print_reference(file, r->compare);
}

// Why a row did not run, or did not come to the end.
static void print_reason(FILE *file, const trCompareRow *row, int indent) {
    char text[2 * TR_COMPARE_TEXT];
    int  used = snprintf(text, sizeof text, "%s", tr_compare_state_name(row->state));
    if (row->state == TR_COMPARE_FAILED) {
        used += snprintf(text + used, sizeof text - (size_t)used, " at t = %.6g s", row->reached);
    }
    if (row->sweep && row->fixed) {
        used += snprintf(text + used, sizeof text - (size_t)used, " with a step of %.4g s",
                         row->def.step);
    } else if (row->sweep) {
        used += snprintf(text + used, sizeof text - (size_t)used, " with tolerances of %.0e",
                         row->def.rtol);
    }
    snprintf(text + used, sizeof text - (size_t)used, "%s%s%s", row->reason[0] != '\0' ? ": " : "",
             row->reason, row->state == TR_COMPARE_SKIPPED ? "; --force runs it" : "");
    print_text(file, text, indent);
}

// A row above that did not run for the same reason, or NULL: a sentence that holds for all methods
// is read once.
static const trCompareRow *find_same(const trCompare *c, int row) {
    const trCompareRow *here = &c->row[row];
    bool                ran = here->state == TR_COMPARE_FAILED;
    for (int i = 0; i < row && !ran && !here->sweep; i++) {
        const trCompareRow *other = &c->row[i];
        if (is_headed(other) && other->state == here->state &&
            strcmp(other->reason, here->reason) == 0) {
            return other;
        }
    }
    return NULL;
}

void tr_compare_print_reasons(FILE *file, const trCompareReport *r, int names) {
    const trCompare *c = r->compare;
    bool             first = true;
    for (int i = 0; i < c->rows; i++) {
        const trCompareRow *row = &c->row[i];
        if (!row->shown || row->state == TR_COMPARE_DONE || (row->same_as >= 0 && !row->sweep)) {
            continue;
        }
        fputs(first ? "\n" : "", file);
        tr_compare_print_name(file, r, row, names);
        fputs("  ", file);
        const trCompareRow *same = find_same(c, i);
        if (same != NULL) {
            fprintf(file, "%s, as %s\n", tr_compare_state_name(row->state), same->label);
        } else {
            print_reason(file, row, names + 4);
        }
        first = false;
    }
}

void tr_compare_print_same(FILE *file, const trCompareReport *r) {
    const trCompare *c = r->compare;
    for (int k = 0; k < c->ranked; k++) {
        const trCompareRow *row = &c->row[c->order[k]];
        char                text[4 * TR_COMPARE_TEXT], name[TR_COMPARE_NAME];
        int                 used = 0;
        for (int i = k + 1; i < c->ranked && used < (int)sizeof text; i++) {
            const trCompareRow *other = &c->row[c->order[i]];
            if (other->same_as == c->order[k]) {
                used += snprintf(text + used, sizeof text - (size_t)used, "%s%s",
                                 used > 0 ? ", " : "", other->label);
                used += isnan(other->ratio) ? 0
                                            : snprintf(text + used, sizeof text - (size_t)used,
                                                       " (time %.2f)", other->ratio);
            }
        }
        if (used > 0) {
            fprintf(file, "\n  %s: ", tr_compare_name(c, row, name));
            print_text(file, text, 4);
        }
    }
}

void tr_compare_print_end(FILE *file, const trCompareReport *r) {
    fputc('\n', file);
    print_legend(file, r->compare);
    print_text(file, r->compare->sentence, 0);
}
