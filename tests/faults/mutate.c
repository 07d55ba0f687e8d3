// SPDX-License-Identifier: MIT
// Forged files: mutants of a result or a checkpoint whose check sums fit again, so that readers get
// to see what is inside. The same number gives the same mutant.
//
//     mutate WHOLE FIRST COUNT        writes WHOLE.FIRST, ... beside it
//
// HDF5 guards its metadata block by block, each with a sum behind it (lookup3 of Bob Jenkins);
// blocks are found by their signatures, and their ends by the sums that fit. A checkpoint ends with
// a mark of all its words, and so does the state in it (record/mark.h).

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/mark.h"

#define WORD sizeof(uint64_t)
#define SUM sizeof(uint32_t)
#define BLOCKS_MOST 1000
#define BLOCK_BYTES_MOST 16384
#define COUNT(list) (sizeof(list) / sizeof *(list))

typedef struct Block {
    size_t at, size;  // without the sum or mark behind it
} Block;

typedef struct Bytes {
    size_t         size;
    unsigned char *at;
    bool           hdf5;
    int            blocks;
    Block          block[BLOCKS_MOST];
} Bytes;

static uint64_t random_state;

static uint64_t draw(uint64_t below) {  // splitmix64
    uint64_t z = random_state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (z ^ (z >> 31)) % below;
}

// --- sums ---

static uint32_t turn(uint32_t x, int k) {
    return x << k | x >> (32 - k);
}

static uint32_t lookup3(const unsigned char *k, size_t length) {
    uint32_t a = 0xdeadbeefu + (uint32_t)length, b = a, c = a, part[3];
    if (length == 0) {
        return c;
    }
    for (; length > 12; length -= 12, k += 12) {
        static const int turns[] = {4, 6, 8, 16, 19, 4};
        memcpy(part, k, 12);
        a += part[0], b += part[1], c += part[2];
        for (int i = 0; i < 6; i++) {  // a, b, c change their roles
            a -= c, a ^= turn(c, turns[i]), c += b;
            uint32_t first = a;
            a = b, b = c, c = first;
        }
    }
    memset(part, 0, sizeof part);
    memcpy(part, k, length);
    a += part[0], b += part[1], c += part[2];
    c ^= b, c -= turn(b, 14);
    a ^= c, a -= turn(c, 11);
    b ^= a, b -= turn(a, 25);
    c ^= b, c -= turn(b, 16);
    a ^= c, a -= turn(c, 4);
    b ^= a, b -= turn(a, 14);
    c ^= b, c -= turn(b, 24);
    return c;
}

static uint64_t mark_words(const unsigned char *at, size_t size) {
    uint64_t mark = TR_MARK_START;
    for (size_t i = 0; i + WORD <= size; i += WORD) {
        uint64_t word;
        memcpy(&word, at + i, WORD);
        mark = tr_mark_add(mark, word);
    }
    return mark;
}

static void repair(const Bytes *file, const Block *b) {
    if (file->hdf5) {
        uint32_t sum = lookup3(file->at + b->at, b->size);
        memcpy(file->at + b->at + b->size, &sum, SUM);
    } else {
        uint64_t mark = mark_words(file->at + b->at, b->size);
        memcpy(file->at + b->at + b->size, &mark, WORD);
    }
}

// --- blocks ---

static bool begins_block(const Bytes *file, size_t at) {
    static const char *const signatures[] = {"\x89HDF", "OHDR", "OCHK", "FRHP", "FHIB", "FHDB",
                                             "BTHD",    "BTIN", "BTLF", "FSHD", "FSSE", "EAHD",
                                             "EAIB",    "EASB", "EADB", "FAHD", "FADB", "SMTB"};
    for (size_t i = 0; i < COUNT(signatures); i++) {
        if (at + SUM <= file->size && memcmp(file->at + at, signatures[i], SUM) == 0) {
            return true;
        }
    }
    return false;
}

static bool find_end(const Bytes *file, Block *b) {
    for (b->size = 8; b->size < BLOCK_BYTES_MOST && b->at + b->size + SUM <= file->size;
         b->size++) {
        uint32_t sum;
        memcpy(&sum, file->at + b->at + b->size, SUM);
        if (sum != 0 && sum == lookup3(file->at + b->at, b->size)) {
            return true;
        }
    }
    return false;
}

static void find_hdf5_blocks(Bytes *file) {
    for (size_t at = 0; at < file->size && file->blocks < BLOCKS_MOST; at++) {
        Block b = {.at = at};
        if (begins_block(file, at) && find_end(file, &b)) {
            file->block[file->blocks++] = b;
            at += b.size;
        }
    }
}

// The state, whose mark is the last but one word, and the whole, in the order of repair.
static void find_checkpoint_blocks(Bytes *file) {
    uint64_t mark;
    memcpy(&mark, file->at + file->size - 2 * WORD, WORD);
    for (size_t at = 4 * WORD; at + 2 * WORD < file->size; at += WORD) {
        Block b = {at, file->size - 2 * WORD - at};
        if (mark_words(file->at + at, b.size) == mark) {
            file->block[file->blocks++] = b;
            break;
        }
    }
    file->block[file->blocks++] = (Block){0, file->size - WORD};
}

// --- mutants ---

static const uint64_t odd[] = {0,          1,          2,          0x7f,
                               0x80,       0xff,       0x7fff,     0xffff,
                               0x7fffffff, 0x80000000, 0xffffffff, 0x100000000,
                               1u << 20,   UINT64_MAX, INT64_MAX,  0x7ff0000000000000};

static void write_number(Bytes *file, size_t at) {
    size_t   width = (size_t)1 << draw(4);
    uint64_t old = 0, number = odd[draw(COUNT(odd))];
    width = at + width <= file->size ? width : 1;
    memcpy(&old, file->at + at, width);
    number = draw(3) == 0 ? old + draw(5) - 2 : number;
    memcpy(file->at + at, &number, width);
}

static void copy_piece(Bytes *file, size_t at) {
    size_t size = 1 + draw(64), from = draw(file->size);
    size = from + size <= file->size && at + size <= file->size ? size : 1;
    memmove(file->at + at, file->at + from, size);
}

// Most changes hit what guides a reader: metadata of HDF5, the beginning of a checkpoint.
static size_t choose_place(const Bytes *file) {
    const Block *b = &file->block[draw((uint64_t)file->blocks)];
    size_t       size = file->hdf5 || draw(2) == 0 ? b->size : b->size < 512 ? b->size : 512;
    return b->at + draw(size);
}

static void mutate(Bytes *file) {
    int changes = 1 + (int)draw(3);
    for (int i = 0; i < changes; i++) {
        uint64_t how = draw(8);
        size_t   at = how == 0 ? draw(file->size) : choose_place(file);
        if (how == 1) {
            file->at[at] ^= (unsigned char)(1u << draw(8));
        } else if (how == 2) {
            copy_piece(file, at);
        } else {
            write_number(file, at);
        }
    }
    bool repaired = draw(16) != 0;
    for (int i = 0; repaired && i < file->blocks; i++) {
        repair(file, &file->block[i]);
    }
    file->size = draw(32) == 0 ? draw(file->size) : file->size;
}

static bool write_mutant(const char *path, const Bytes *whole, int number) {
    static Bytes copy;
    char         name[4096];
    copy = *whole;
    copy.at = malloc(whole->size);
    snprintf(name, sizeof name, "%s.%d", path, number);
    FILE *file = copy.at != NULL ? fopen(name, "wb") : NULL;
    if (file == NULL) {
        return false;
    }
    memcpy(copy.at, whole->at, whole->size);
    random_state = (uint64_t)number * 1000003;
    mutate(&copy);
    bool written = fwrite(copy.at, 1, copy.size, file) == copy.size;
    free(copy.at);
    return fclose(file) == 0 && written;
}

static bool read_whole(const char *path, Bytes *whole) {
    FILE *file = fopen(path, "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0) {
        return false;
    }
    whole->size = (size_t)ftell(file);
    whole->at = malloc(whole->size + 1);
    rewind(file);
    bool read = whole->at != NULL && whole->size > 8 * WORD &&
                fread(whole->at, 1, whole->size, file) == whole->size;
    fclose(file);
    return read;
}

int main(int argc, char **argv) {
    static Bytes whole;
    if (argc != 4 || !read_whole(argv[1], &whole)) {
        fprintf(stderr, "mutate: WHOLE FIRST COUNT\n");
        return 2;
    }
    whole.hdf5 = memcmp(whole.at, "\x89HDF", SUM) == 0;
    if (whole.hdf5) {
        find_hdf5_blocks(&whole);
    } else {
        find_checkpoint_blocks(&whole);
    }
    int  first = atoi(argv[2]), count = atoi(argv[3]);
    bool good = whole.blocks > (whole.hdf5 ? 8 : 1);  // else the sums were not found
    for (int i = 0; good && i < count; i++) {
        good = write_mutant(argv[1], &whole, first + i);
    }
    free(whole.at);
    printf("%d blocks with a sum\n", whole.blocks);
    return good ? 0 : 1;
}
