// SPDX-License-Identifier: MIT
// A comparison in text: what was run, a table of accuracy and one of work, best first, what did not
// run and why.

#include "report/reports.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "report/mechanics.h"

#define TEXT_SIZE (4 * TR_COMPARE_TEXT)
#define NAME_SIZE 96
#define NAMES 16  // of integrators, at most

const char *tr_compare_state_name(trCompareState state) {
    static const char *const names[] = {
        [TR_COMPARE_WAITING] = "waiting", [TR_COMPARE_SKIPPED] = "skipped",
        [TR_COMPARE_REFUSED] = "refused", [TR_COMPARE_FAILED] = "failed",
        [TR_COMPARE_DONE] = "done",
    };
    return names[state];
}

void tr_compare_unit(const trCompare *c, int level, char text[TR_COMPARE_UNIT]) {
    static const char *const per[TR_COMPARE_LEVELS] = {"", "/s", "/s^2"};
    bool                     both = strcmp(c->row_unit, "m or rad") == 0;
    snprintf(text, TR_COMPARE_UNIT, both ? "m%s or rad%s" : "%s%s", both ? per[level] : c->row_unit,
             c->row_unit[0] != '\0' ? per[level] : "");
}

// Adds to a text that ends with `size` bytes.
static void append(char *text, size_t size, const char *format, ...) TR_PRINTF(3, 4);
static void append(char *text, size_t size, const char *format, ...) {
    size_t  used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + used, size - used, format, arguments);
    va_end(arguments);
}

// --- what was run ---

static bool is_headed(const trCompareRow *row) {
    return row->shown && !row->sweep;
}

// Integrators with a fixed step, or without, each once: "park_chiou, rattle and rattle4". Returns
// the settings of one of them; NULL: there are none.
static const trSimDef *append_names(char *text, const trCompare *c, bool fixed) {
    const char     *name[NAMES] = {NULL};
    const trSimDef *def = NULL;
    int             names = 0;
    for (int i = 0; i < c->rows; i++) {
        const trCompareRow *row = &c->row[i];
        bool                known = !is_headed(row) || row->fixed != fixed;
        for (int k = 0; k < names; k++) {
            known |= strcmp(name[k], row->def.integrator) == 0;
        }
        if (!known && names < NAMES) {
            name[names++] = row->def.integrator;
            def = &row->def;
        }
    }
    for (int k = 0; k < names; k++) {
        append(text, TEXT_SIZE, "%s%s", k > 0 && k == names - 1 ? " and " : ", ", name[k]);
    }
    return def;
}

static void add_heading(trReport *r, const trCompare *c, const char *path) {
    const char *name = tr_system_name(c->system);
    char        text[TEXT_SIZE] = "";
    int         methods = 0, integrators = 0;
    for (int i = 0; i < c->rows; i++) {
        bool headed = is_headed(&c->row[i]), method = c->row[i].def.method != NULL;
        methods += headed && method;
        integrators += headed && !method;
    }
    append(text, TEXT_SIZE, "%.*s: ", TR_COMPARE_TEXT / 2, name != NULL ? name : path);
    if (methods > 0) {
        append(text, TEXT_SIZE, "%d method%s", methods, methods == 1 ? "" : "s");
    }
    if (integrators > 0) {
        append(text, TEXT_SIZE, "%s%d integrator%s", methods > 0 ? " and " : "", integrators,
               integrators == 1 ? "" : "s");
    }
    append(text, TEXT_SIZE, ", %g s", c->base.duration);
    const trSimDef *def = append_names(text, c, false);
    if (def != NULL) {
        append(text, TEXT_SIZE, " with rtol %g and atol %g", def->rtol, def->atol);
    }
    def = append_names(text, c, true);
    if (def != NULL) {
        append(text, TEXT_SIZE, " with a step of %g s%s", def->step,
               c->step_chosen ? " (chosen; --step overrides it)" : "");
    }
    if (c->replaced != NULL) {
        append(text, TEXT_SIZE, "; not with %s, the model's, which supports no method",
               c->replaced);
    }
    tr_report_note(r, NULL, "%s", text);
}

static void add_reference(trReport *r, const trCompare *c) {
    const trCompareReference *a = &c->reference;
    char                      text[TEXT_SIZE] = "";
    if (a->count == 0) {
        tr_report_note(r, NULL, "no reference: %s", a->reason);
        return;
    }
    const trCompareGap *doubt = &a->doubt[a->count - 1];
    append(text, TEXT_SIZE, "reference: %s%s%s at %.0e and %.0e%s", a->integrator,
           a->method != NULL ? " with " : "", a->method != NULL ? a->method : "", a->tolerance[0],
           a->tolerance[1], a->stiff ? " (the equations are stiff)" : "");
    if (tr_compare_is_general(c)) {
        append(text, TEXT_SIZE, ", %.1e apart (relative)", doubt->general);
    } else {
        append(text, TEXT_SIZE, ", %.1e m and %.1e rad apart", doubt->length, doubt->angle);
    }
    if (a->count < c->times) {
        append(text, TEXT_SIZE, "; it ends at t = %.4g s: %s", c->time[a->count - 1], a->reason);
    }
    tr_report_note(r, NULL, "%s", text);
}

// --- tables ---

static bool ran(const trCompareRow *row, bool sweep) {
    bool has = row->state == TR_COMPARE_DONE || row->state == TR_COMPARE_FAILED;
    return row->shown && row->sweep == sweep && has && (sweep || row->same_as < 0);
}

// The name of a row's method, with the number of those of equal figures: "lagrange +2".
static const char *name_of(const trCompare *c, const trCompareRow *row, char text[NAME_SIZE]) {
    int count = 0;
    for (int i = 0; i < c->rows; i++) {
        count += c->row[i].same_as == row - c->row;
    }
    snprintf(text, NAME_SIZE, count > 0 && !row->sweep ? "%s +%d" : "%s", row->label, count);
    return text;
}

static unsigned color_of(const trCompare *c, const trCompareRow *row) {
    bool best = c->recommended >= 0 && strcmp(row->label, c->row[c->recommended].label) == 0;
    return row->state == TR_COMPARE_FAILED ? TR_REPORT_BAD : best ? TR_REPORT_GOOD : 0;
}

// An error; "<" where it is a bound.
static void add_figure(trReport *r, const char *label, const trCompareRow *row, double value,
                       const char *unit) {
    char text[NAME_SIZE];
    snprintf(text, sizeof text, "<%.2g", value);
    if (row->measured && row->bound) {
        tr_report_text(r, NULL, label, text);
    } else {
        tr_report_number(r, NULL, label, row->measured ? value : NAN, unit);
    }
}

static void add_error(trReport *r, const trCompare *c, const trCompareRow *row) {
    bool early = false;
    if (tr_compare_is_general(c)) {
        add_figure(r, "error\nrelative %2", row, row->error.general, NULL);
    } else {
        add_figure(r, "error\n[m] %2", row, row->error.length, NULL);
        add_figure(r, "error\n[rad] %2", row, row->error.angle, NULL);
    }
    for (int i = 0; i < c->rows; i++) {
        early |= ran(&c->row[i], c->row[i].sweep) && c->row[i].measured &&
                 c->row[i].trusted_until < c->time[c->times - 1];
    }
    if (early) {
        tr_report_number(r, NULL, "\nuntil %4", row->measured ? row->trusted_until : NAN, "s");
    }
}

// Means are details.
static void add_accuracy(trReport *r, const trCompare *c, const trCompareRow *row) {
    static const char *const worst[] = {"position\nworst %2", "velocity\nworst %2",
                                        "acceleration\nworst %2"};
    static const char *const mean[] = {"position\nmean %2", "velocity\nmean %2",
                                       "acceleration\nmean %2"};
    for (int k = 0; k < TR_COMPARE_LEVELS; k++) {
        tr_report_number(r, NULL, worst[k], row->level[k].worst, NULL);
        tr_report_open(r, NULL, NULL, TR_REPORT_DETAIL);
        tr_report_number(r, NULL, mean[k], row->level[k].mean, NULL);
        tr_report_close(r);
    }
    tr_report_open(r, NULL, NULL, TR_REPORT_DETAIL);
    tr_report_number(r, NULL, "energy drift\nend %2", row->energy_end, NULL);
    tr_report_close(r);
    tr_report_number(r, NULL, "energy drift\nworst %2", row->energy_worst, NULL);
    add_error(r, c, row);
}

static void add_work(trReport *r, const trCompare *c, const trCompareRow *row) {
    tr_report_integer(r, NULL, "steps", row->steps);
    tr_report_integer(r, NULL, "rejected", row->rejected);
    tr_report_integer(r, NULL, "forced", row->forced);
    tr_report_integer(r, NULL, "evalu-\nations", row->evaluations);
    tr_report_integer(r, NULL, "factor-\nizations", row->factorizations);
    tr_report_integer(r, NULL, "itera-\ntions",
                      row->newton_iterations + row->formulation_iterations);
    tr_report_number(r, NULL, "time %3", row->ratio, NULL);
}

static void add_setting(trReport *r, const trCompare *c, const trCompareRow *row) {
    tr_report_number(r, NULL, "step or\ntolerance %4", row->fixed ? row->def.step : row->def.rtol,
                     NULL);
    add_error(r, c, row);
    tr_report_integer(r, NULL, "evalu-\nations", row->evaluations);
    tr_report_number(r, NULL, "time %3", row->ratio, NULL);
}

// By merit; settings of the work-precision table in the order in which they were asked for.
static void add_table(trReport *r, const trCompare *c, bool sweep, const char *label,
                      void (*cells)(trReport *, const trCompare *, const trCompareRow *)) {
    tr_report_open(r, NULL, label, TR_REPORT_TABLE);
    for (int i = 0; i < (sweep ? c->rows : c->ranked); i++) {
        const trCompareRow *row = &c->row[sweep ? i : c->order[i]];
        char                name[NAME_SIZE];
        if (ran(row, sweep)) {
            tr_report_open(r, NULL, NULL, color_of(c, row));
            tr_report_text(r, NULL, "method", name_of(c, row, name));
            cells(r, c, row);
            tr_report_text(r, NULL, "", row->state == TR_COMPARE_FAILED ? "failed" : NULL);
            tr_report_close(r);
        }
    }
    tr_report_close(r);
}

// Methods with the same figures as another, with their times.
static void add_same(trReport *r, const trCompare *c) {
    tr_report_open(r, NULL, "\n", TR_REPORT_TABLE);
    for (int k = 0; k < c->ranked; k++) {
        const trCompareRow *row = &c->row[c->order[k]];
        char                text[TEXT_SIZE] = "", name[NAME_SIZE];
        for (int i = k + 1; i < c->ranked; i++) {
            const trCompareRow *other = &c->row[c->order[i]];
            if (other->same_as == c->order[k]) {
                append(text, TEXT_SIZE, "%s%s", text[0] != '\0' ? ", " : "", other->label);
                append(text, TEXT_SIZE, isnan(other->ratio) ? "%s" : "%s (time %.3g)", "",
                       other->ratio);
            }
        }
        if (text[0] != '\0') {
            tr_report_open(r, NULL, NULL, color_of(c, row));
            tr_report_text(r, NULL, "", name_of(c, row, name));
            tr_report_text(r, NULL, " ", text);
            tr_report_close(r);
        }
    }
    tr_report_close(r);
}

// --- what did not run ---

// A row above that did not run for the same reason, or NULL: a sentence that holds for all methods
// is read once.
static const trCompareRow *find_same(const trCompare *c, int row) {
    const trCompareRow *here = &c->row[row];
    bool                failed = here->state == TR_COMPARE_FAILED;
    for (int i = 0; i < row && !failed && !here->sweep; i++) {
        const trCompareRow *other = &c->row[i];
        if (is_headed(other) && other->state == here->state &&
            strcmp(other->reason, here->reason) == 0) {
            return other;
        }
    }
    return NULL;
}

static void append_reason(char *text, const trCompareRow *row) {
    if (row->state == TR_COMPARE_FAILED) {
        append(text, TEXT_SIZE, " at t = %.6g s", row->reached);
    }
    if (row->sweep) {
        append(text, TEXT_SIZE, row->fixed ? " with a step of %.4g s" : " with tolerances of %.0e",
               row->fixed ? row->def.step : row->def.rtol);
    }
    append(text, TEXT_SIZE, "%s%s%s", row->reason[0] != '\0' ? ": " : "", row->reason,
           row->state == TR_COMPARE_SKIPPED ? "; --force runs it" : "");
}

static void add_reasons(trReport *r, const trCompare *c) {
    tr_report_open(r, NULL, "\n", TR_REPORT_TABLE);
    for (int i = 0; i < c->rows; i++) {
        const trCompareRow *row = &c->row[i], *same = find_same(c, i);
        char                text[TEXT_SIZE] = "", name[NAME_SIZE];
        if (!row->shown || row->state == TR_COMPARE_DONE || (row->same_as >= 0 && !row->sweep)) {
            continue;
        }
        append(text, TEXT_SIZE, "%s", tr_compare_state_name(row->state));
        if (same != NULL) {
            append(text, TEXT_SIZE, ", as %s", same->label);
        } else {
            append_reason(text, row);
        }
        tr_report_open(r, NULL, NULL, color_of(c, row));
        tr_report_text(r, NULL, "", name_of(c, row, name));
        tr_report_text(r, NULL, " ", text);
        tr_report_close(r);
    }
    tr_report_close(r);
}

// What the tables mean.
static void add_legend(trReport *r, const trCompare *c) {
    bool bound = false, early = false, folded = false;
    char unit[TR_COMPARE_UNIT];
    for (int i = 0; i < c->rows; i++) {
        const trCompareRow *row = &c->row[i];
        bool                counts = row->shown && row->measured;
        bound |= counts && row->bound;
        folded |= row->shown && row->same_as >= 0;
        early |= counts && row->trusted_until < c->time[c->times - 1];
    }
    tr_compare_unit(c, 0, unit);
    tr_report_note(r, NULL, "\nunits: positions %s, energy %s", unit[0] != '\0' ? unit : "custom",
                   c->energy_unit[0] != '\0' ? c->energy_unit : "custom");
    if (folded) {
        tr_report_note(r, NULL, "+1, +2, ...: further methods with the same figures except time");
    }
    if (bound) {
        tr_report_note(r, NULL, "<: as good as the reference; a bound of the error");
    }
    if (early) {
        tr_report_note(r, NULL,
                       "until: errors count up to this time; later the two references differ by "
                       "more than a tenth of the error");
    }
    if (c->time_unit != NULL && c->turns == 1) {
        tr_report_note(r, NULL, "time: CPU time as a multiple of that of %s; single run",
                       c->time_unit);
    } else if (c->time_unit != NULL) {
        tr_report_note(r, NULL, "time: CPU time as a multiple of that of %s; fastest of %d runs",
                       c->time_unit, c->turns);
    }
}

trReport *tr_report_compare(const trCompare *c, const char *path) {
    trReport *r = tr_report_create();
    if (r == NULL) {
        return NULL;
    }
    tr_compare_add_data(r, c, path);
    tr_report_open(r, NULL, NULL, TR_REPORT_WORDS);
    add_heading(r, c, path);
    add_reference(r, c);
    add_table(r, c, false, "\n", add_accuracy);
    add_table(r, c, false, "\n", add_work);
    add_same(r, c);
    add_table(r, c, true, "\nerror against work", add_setting);
    add_reasons(r, c);
    add_legend(r, c);
    tr_report_note(r, NULL, "%s", c->sentence);
    tr_report_close(r);
    return r;
}
