// SPDX-License-Identifier: MIT
// The folder of binaries/ for this machine:
//
//                 x86-64          arm64
//     FMI 2.0     linux64         aarch64-linux    (2.0.5 refers to 3.0 for all but x86)
//     FMI 3.0     x86_64-linux    aarch64-linux
//
// Some tools use the folder of the other version, and OpenModelica uses linux64 on arm64, too. So
// every folder that may hold a binary of this machine is accepted, unless the file in it says that
// it was built for another processor.

#include <elf.h>
#include <string.h>

#include "fmi/description.h"

#if defined(__linux__) && defined(__x86_64__)
enum { MACHINE = EM_X86_64 };
static const char *const folders[2][2] = {{"linux64", "x86_64-linux"}, {"x86_64-linux", "linux64"}};
#elif defined(__linux__) && defined(__aarch64__)
enum { MACHINE = EM_AARCH64 };
static const char *const folders[2][2] = {{"aarch64-linux", "linux64"},
                                          {"aarch64-linux", "linux64"}};
#else
enum { MACHINE = EM_NONE };
static const char *const folders[2][2] = {{"no known platform", ""}, {"no known platform", ""}};
#endif

static const char *const *folders_of(const trFmuInfo *info) {
    return folders[info->version[0] == '3'];
}

const char *tr_fmu_platform_name(const trFmuInfo *info) {
    return folders_of(info)[0];
}

bool tr_fmu_platform_fits(const trFmuInfo *info, const char *folder) {
    const char *const *own = folders_of(info);
    return strcmp(folder, own[0]) == 0 || strcmp(folder, own[1]) == 0;
}

// What is no ELF file fits: loading it gives the reason.
static bool is_foreign(const trFmuArchive *archive, const char *folder, const char *identifier) {
    unsigned char head[EI_NIDENT + 4];  // then e_type and e_machine, of 2 bytes each
    const char   *name = tr_arena_format(archive->arena, "binaries/%s/%s.so", folder, identifier);
    if (name == NULL || tr_fmu_archive_head(archive, name, head, sizeof head) < sizeof head ||
        memcmp(head, ELFMAG, SELFMAG) != 0) {
        return false;
    }
    return head[EI_CLASS] != ELFCLASS64 || head[EI_DATA] != ELFDATA2LSB ||
           head[EI_NIDENT + 2] + 256 * head[EI_NIDENT + 3] != MACHINE;
}

const char *tr_fmu_platform_find(const trFmuArchive *archive, const trFmuInfo *info) {
    for (int k = 0; k < 2; k++) {
        const char *name = folders_of(info)[k];
        bool        fits = false;
        for (int i = 0; i < info->platforms && !fits; i++) {
            fits = strcmp(info->platform[i], name) == 0;
        }
        for (int kind = TR_FMU_MODEL_EXCHANGE; kind <= TR_FMU_CO_SIMULATION; kind++) {
            bool has = (info->kinds & (unsigned)kind) != 0;
            fits = fits && !(has && is_foreign(archive, name, info->identifier[kind]));
        }
        if (fits) {
            return name;
        }
    }
    return NULL;
}
