// SPDX-License-Identifier: MIT
// The coordinator meets its partners, and finds the assembly's modules among them.

#include <stdio.h>
#include <string.h>

#include "base/spell.h"
#include "glue/greeting.h"
#include "glue/remote.h"
#include "glue/wait.h"

#define LIST_SIZE 400  // bytes of a list of names in a message
#define NONE (-1)

typedef struct Meeting {
    trArena           *arena;
    const trLink      *link;
    int                modules, partners;
    const char *const *name;    // modules
    trHello           *hello;   // partners
    bool              *heard;   // partners
    int               *module;  // partners: which one each is
} Meeting;

// --- hellos ---

static const char *where(const Meeting *m, int at) {
    return m->link->where(m->link->self, at);
}

static trStatus hear(Meeting *m, int at) {
    const void *bytes = NULL;
    size_t      count = 0;
    trLinked    state = m->link->poll(m->link->self, at, &bytes, &count);
    if (state == TR_LINK_NOT_YET) {
        return TR_OK;
    }
    trStatus status = state == TR_LINK_DONE ? tr_hello_unpack(m->arena, bytes, count, &m->hello[at])
                                            : tr_fail(TR_E_PARTNER, "its process has ended");
    m->heard[at] = true;
    if (status == TR_OK && m->hello[at].words[0] != '\0') {
        status = tr_fail(TR_E_MODEL, "%s", m->hello[at].words);
    }
    return status == TR_OK ? TR_OK : tr_blame(status, "%s: ", where(m, at));
}

static trStatus hear_all(Meeting *m, double patience) {
    trWait wait = tr_wait_begin(patience);
    for (;;) {
        int missing = NONE;
        for (int i = m->partners - 1; i >= 0; i--) {
            if (!m->heard[i]) {
                TR_TRY(hear(m, i));
                missing = m->heard[i] ? missing : i;
            }
        }
        if (missing == NONE) {
            return TR_OK;
        }
        if (!tr_wait_more(&wait)) {
            return tr_fail(TR_E_PARTNER,
                           "%s: did not register as a module within %g s; is its program a module?",
                           where(m, missing), patience);
        }
    }
}

// --- who is who ---

static bool taken(const Meeting *m, int module) {
    for (int i = 0; i < m->partners; i++) {
        if (m->module[i] == module) {
            return true;
        }
    }
    return false;
}

typedef enum Rule { BY_GIVEN_NAME, BY_OWN_NAME, BY_ORDER } Rule;

static void match(Meeting *m, Rule rule) {
    for (int i = 0; i < m->partners; i++) {
        const trHello *hello = &m->hello[i];
        for (int k = 0; k < m->modules && m->module[i] == NONE; k++) {
            bool fits = hello->named == (rule == BY_GIVEN_NAME) &&
                        (rule == BY_ORDER || strcmp(hello->face.name, m->name[k]) == 0);
            if (fits && !taken(m, k)) {
                m->module[i] = k;
            }
        }
    }
}

static void list(char text[LIST_SIZE], const char *name) {
    size_t length = strlen(text), more = strlen(name);
    if (length + more + 5 < LIST_SIZE) {
        snprintf(text + length, LIST_SIZE - length, "%s'%s'", length > 0 ? ", " : "", name);
    }
}

// Every partner is a module, and every module a partner's.
static trStatus check_matches(const Meeting *m) {
    char missing[LIST_SIZE] = "";
    for (int k = 0; k < m->modules; k++) {
        if (!taken(m, k)) {
            list(missing, m->name[k]);
        }
    }
    for (int i = 0; i < m->partners; i++) {
        if (m->module[i] != NONE) {
            continue;
        }
        const char *own = m->hello[i].face.name;
        const char *near = tr_spell_nearest(own, m->modules, tr_spell_word, m->name);
        tr_fail(TR_E_PARTNER, "%s is '%s', and the assembly has no such module, or only one",
                where(m, i), own);
        if (missing[0] != '\0') {
            tr_add_hint(TR_E_PARTNER, "; missing: %s", missing);
        }
        return near != NULL && strcmp(near, own) != 0
                   ? tr_add_hint(TR_E_PARTNER, "; did you mean '%s'?", near)
                   : TR_E_PARTNER;
    }
    return missing[0] == '\0'
               ? TR_OK
               : tr_fail(TR_E_PARTNER,
                         "no process for %s of the assembly; add one for each to the line of "
                         "mpirun, as ': -n 1 trammel module FILE --name NAME'",
                         missing);
}

// --- answers ---

static trStatus answer(const Meeting *m, int at, trWelcome *welcome, double seconds) {
    const void *bytes = NULL;
    size_t      count = 0;
    if (welcome->status == TR_OK) {
        welcome->words = m->name[m->module[at]];
    }
    TR_TRY(tr_welcome_pack(m->arena, welcome, &bytes, &count));
    return tr_wait_send(m->link, at, seconds, bytes, count)
               ? TR_OK
               : tr_fail(TR_E_PARTNER, "%s: accepts no more messages", where(m, at));
}

// The others wait in turn while one answers: so long may be silence, at most.
static trStatus welcome_all(const Meeting *m, double timeout, double patience) {
    trWelcome welcome = {.silence = (double)(m->modules + 1) * timeout + 5.0,
                         .process = tr_process_self()};
    for (int i = 0; i < m->partners; i++) {
        TR_TRY(answer(m, i, &welcome, patience));
    }
    return TR_OK;
}

// As far as they still listen.
static trStatus refuse_all(const Meeting *m, trStatus status) {
    trWelcome welcome = {.status = status,
                         .words = tr_arena_text(m->arena, tr_last_error()),
                         .process = tr_process_self()};
    if (welcome.words == NULL) {
        return status;
    }
    for (int i = 0; i < m->partners; i++) {
        (void)answer(m, i, &welcome, 0.0);
    }
    return tr_fail(status, "%s", welcome.words);
}

static trStatus plan(trArena *arena, trRemote *r, const char *const *name, Meeting *out) {
    int partners = r->link.partners;
    *out = (Meeting){.arena = arena,
                     .link = &r->link,
                     .modules = r->modules,
                     .partners = partners,
                     .name = name,
                     .hello = tr_arena_take(arena, (size_t)partners, sizeof(trHello)),
                     .heard = tr_new_array(arena, bool, partners),
                     .module = tr_new_array(arena, int, partners)};
    r->partner = tr_arena_take(arena, (size_t)r->modules, sizeof *r->partner);
    TR_TRY(tr_arena_status(arena));
    for (int i = 0; i < partners; i++) {
        out->module[i] = NONE;
    }
    return TR_OK;
}

trStatus tr_remote_greet(trArena *arena, trRemote *r, const char *const *name, double patience) {
    Meeting m;
    TR_TRY(plan(arena, r, name, &m));
    trStatus status = hear_all(&m, patience);
    if (status == TR_OK) {
        match(&m, BY_GIVEN_NAME);
        match(&m, BY_OWN_NAME);
        match(&m, BY_ORDER);
        status = check_matches(&m);
    }
    if (status != TR_OK) {
        return refuse_all(&m, status);
    }
    TR_TRY(welcome_all(&m, r->timeout, patience));
    for (int i = 0; i < m.partners; i++) {
        int k = m.module[i];
        r->partner[k] = (trRemotePartner){.at = i, .process = m.hello[i].process};
        r->face[k] = m.hello[i].face;
        r->face[k].name = tr_arena_text(arena, name[k]);
    }
    return tr_arena_status(arena);
}
