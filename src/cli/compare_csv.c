// SPDX-License-Identifier: MIT
// A comparison as a table of text: one line for each method and setting, those of the
// work-precision table marked by 1 in `sweep`. What is not known is an empty field.

#include <math.h>

#include "cli/compare_parts.h"

static void put_number(FILE *file, double value) {
    if (isfinite(value)) {
        fprintf(file, ",%.17g", value);
    } else {
        fputc(',', file);
    }
}

static void put_integer(FILE *file, bool known, int64_t value) {
    if (known) {
        fprintf(file, ",%lld", (long long)value);
    } else {
        fputc(',', file);
    }
}

// In quotes, with quotes doubled.
static void put_text(FILE *file, const char *text) {
    fputs(",\"", file);
    for (const char *c = text; *c != '\0'; c++) {
        fputs(*c == '"' ? "\"" : "", file);
        fputc(*c == '\n' || *c == '\r' ? ' ' : *c, file);
    }
    fputc('"', file);
}

static void put_row(FILE *file, const trCompare *c, const trCompareRow *row) {
    bool ran = row->state == TR_COMPARE_DONE || row->state == TR_COMPARE_FAILED;
    bool general = tr_compare_is_general(c);
    fprintf(file, "%s,%d,%s,%s", row->label, row->sweep, tr_compare_state_name(row->state),
            row->def.integrator);
    put_number(file, row->fixed ? row->def.step : NAN);
    put_number(file, row->fixed ? NAN : row->def.rtol);
    put_number(file, row->fixed ? NAN : row->def.atol);
    put_number(file, ran ? row->reached : NAN);
    for (int k = 0; k < TR_COMPARE_LEVELS; k++) {
        put_number(file, ran ? row->level[k].worst : NAN);
        put_number(file, ran ? row->level[k].mean : NAN);
    }
    put_number(file, ran ? row->energy_end : NAN);
    put_number(file, ran ? row->energy_worst : NAN);
    put_number(file, row->measured && !general ? row->error.length : NAN);
    put_number(file, row->measured && !general ? row->error.angle : NAN);
    put_number(file, row->measured && general ? row->error.general : NAN);
    put_integer(file, row->measured, row->bound);
    put_number(file, row->measured ? row->trusted_until : NAN);
    const int64_t counters[] = {row->steps,
                                row->rejected,
                                row->forced,
                                row->evaluations,
                                row->factorizations,
                                row->newton_iterations,
                                row->formulation_iterations};
    for (size_t k = 0; k < sizeof counters / sizeof *counters; k++) {
        put_integer(file, ran, counters[k]);
    }
    put_number(file, row->seconds);
    put_number(file, row->ratio);
    put_text(file, row->reason);
    fputc('\n', file);
}

// Violations are of rows in m and of rows in rad; of coordinates of the user's own no unit is
// known.
static void put_heading(FILE *file, const trCompare *c) {
    static const char *const per[TR_COMPARE_LEVELS] = {"", "/s", "/s^2"};
    bool                     general = tr_compare_is_general(c);
    const char              *energy = c->energy_unit[0] != '\0' ? " [J]" : "";
    fputs("method,sweep,state,integrator,step [s],rtol,atol,reached [s]", file);
    for (int k = 0; k < TR_COMPARE_LEVELS; k++) {
        for (int mean = 0; mean < 2; mean++) {
            fprintf(file, ",%s_%s", tr_levels[k].name, mean ? "mean" : "worst");
            if (!general) {
                fprintf(file, " [m%s or rad%s]", per[k], per[k]);
            }
        }
    }
    fprintf(file, ",energy_end%s,energy_worst%s", energy, energy);
    fputs(",error_length [m],error_angle [rad],error_relative,error_is_bound,trusted_until [s],"
          "steps,rejected,forced,evaluations,factorizations,newton_iterations,"
          "formulation_iterations,seconds [s],time_ratio,reason\n",
          file);
}

void tr_compare_csv(FILE *file, const trCompare *c) {
    put_heading(file, c);
    for (int i = 0; i < c->rows; i++) {
        if (c->row[i].shown) {
            put_row(file, c, &c->row[i]);
        }
    }
}
