// SPDX-License-Identifier: MIT
// Assembly: kept coordinates, the search for a pose from afar, and what remains open.

#ifndef TR_SIM_ASSEMBLE_H
#define TR_SIM_ASSEMBLE_H

#include "projection/damped.h"
#include "projection/projection.h"
#include "system/system.h"
#include "trammel/assemble.h"

// --- coordinates that stay (assemble_keep.c) ---

// The system seen with some coordinates held: velocities u are those of frame origins, of
// bodies that are kept as a whole those of centers of mass; columns of what is kept are zero.
typedef struct trKept {
    const trSystem *system;
    trManifold      inner;  // all coordinates free
    bool           *fixed;  // nv
    bool           *whole;  // bodies: all of it stays
    bool           *about;  // bodies: u belongs to the frame's origin
    double         *value;  // of A
    double         *b1;     // m
    double         *v;      // nv: velocities of centers of mass
    trEquations     e;
} trKept;

trStatus tr_kept_plan(trArena *arena, const trSystem *system, const trManifold *inner, trKept *out);
// TR_E_ARGUMENT for what there is not.
trStatus   tr_kept_add(trKept *kept, const trKeep *keep);
void       tr_kept_clear(trKept *kept);
trManifold tr_kept_manifold(trKept *kept);
void       tr_kept_from_v(const trKept *kept, const double *q, double *v);  // v becomes u
void       tr_kept_to_v(const trKept *kept, const double *q, double *u);    // u becomes v
// Whether what is kept is in q where it was in q0, to rounding; whole bodies bit by bit. `scratch`
// has nv numbers.
bool tr_kept_stays(const trKept *kept, const double *q0, const double *q, double *scratch);
// Whether it has in v the velocities it has in v0, both at q; both become u.
bool tr_kept_goes_on(const trKept *kept, const double *q, double *v0, double *v);

// --- the search (assemble_search.c) ---

#define TR_OPEN_START 1e-8  // a start on which redundant rows agree, but for the square of it [m]

typedef struct trSearch {
    trArena        *arena;
    const trSystem *system;
    double          t;  // [s]
    trEval          eval;
    trManifold      free;      // all coordinates
    trKept          kept;      // some stay
    trManifold      manifold;  // one of the two
    trProjector     direct;    // W = I
    trDamped        damped;
    double         *scale;                     // nv
    double          length;                    // of lever arms [m]
    double         *q_start, *q_try;           // nq
    double         *q_best, *q_closed, *kick;  // nq, nq, nv
    double         *weight;                    // m: of rows at the start
    double          best;                      // least root of squares found
    int            *order;                     // groups: memory of tr_refuse_open
    int64_t         iterations;
    int             attempts, kicks;
    int             same;    // minima that were found before
    uint64_t        random;  // state of the generator
} trSearch;

// What a search found.
typedef struct trFound {
    bool          closed;        // q is on the constraints
    bool          others_close;  // q leaves one joint open, and all others can be closed
    int           widest;        // the joint that is open most
    const double *q;             // nq, in the memory of the search
} trFound;

// The largest part of A in rows of lengths and columns of angles, of one joint and body; 1 where
// there is none [m].
double tr_lever_arm(const trSystem *system, const trRows *A);

trStatus tr_search_create(const trSystem *system, double t, trSearch **out);
void     tr_search_destroy(trSearch *search);  // NULL is allowed
// From `start` to a pose on the constraints, or to the least open one. `v` as u of the manifold.
trStatus tr_search_pose(trSearch *search, const double *start, const double *v, trFound *out);
// From `start` to the pose that damped least squares lead to.
trStatus tr_search_nearest(trSearch *search, const double *start, const double *v, trFound *out);
// Moves a closed pose on to rounding, where that makes it better; q stays otherwise.
trStatus tr_search_polish(trSearch *search, double *q, const double *v);
// Poses one after the other: `best` is one that is known.
trStatus tr_search_begin(trSearch *search, const double *start, const double *v,
                         const double *best);
trStatus tr_search_next(trSearch *search, const double *v, trFound *out);

// The largest of the changes dv (nv), by body, of positions or of velocities, and its column or -1
// (assemble.c). The unit of a coordinate of the user's own is that of its position.
trCorrection tr_largest_change(const trSystem *system, const double *dv, bool rate, int *column);

// --- gaps (assemble_openings.c) ---

// Of groups of rows: joints, custom constraints and norms of quaternions.
double tr_opening_size(const trOpening *gap);  // the largest of the three
// "0.35 m", "0.35 m and 0.1 rad"
#define TR_OPENING_TEXT 96
const char *tr_opening_text(const trSystem *system, int joint, const trOpening *gap,
                            char text[TR_OPENING_TEXT]);
// Joints that are open by more than `least`, widest first; returns how many.
int tr_openings(const trSystem *system, const double *phi, double least, int *joints);
// "joint 'D': cannot be assembled, 0.35 m remain; ..." and all others that are open in what the
// search found and evaluated last.
trStatus tr_refuse_open(const trSearch *search, const trFound *found);

// --- an assembly on its own (assembly.c, assembly_kept.c) ---

// The result while it is made.
typedef struct trAssemblyWork {
    trAssembly              *out;
    const trAssembleOptions *options;
    trSearch                *search;
    double                  *q0, *v0, *q, *v;  // nq, nv, nq, nv
    double                  *rate;             // m
    trJointGap              *joint;
    int                     *open;
} trAssemblyWork;

// Velocities of the model for bodies that stand at q, unless the caller gives some.
void tr_assembly_start_velocities(const trAssemblyWork *work, const double *q, double *v);

// Whether (work->q, work->v), found with nothing kept, has what shall be kept where it was.
trStatus tr_kept_unmoved(trAssemblyWork *work, bool *unmoved);
// Positions and velocities with what is kept where it is.
trStatus tr_assemble_kept(trAssemblyWork *work, trFound *found);
// work->open[0] is open while things are kept: which of them is in the way.
trStatus tr_refuse_kept(trAssemblyWork *work);

#endif
