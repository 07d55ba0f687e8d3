// SPDX-License-Identifier: MIT
// The pitch link of a helicopter blade, section 4.3 of Masarati's paper.

#ifndef TR_PAPERS_PAPER_003_BLADE_H
#define TR_PAPERS_PAPER_003_BLADE_H

#include "page.h"

// Writes its section.
void show_blade(const char *root, Page *page);

#endif
