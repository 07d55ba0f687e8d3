// SPDX-License-Identifier: MIT
// The part of the page on Laulusa and Bauchau that is about bases of free motions.

#ifndef TR_PAPERS_PAPER_000_BASES_H
#define TR_PAPERS_PAPER_000_BASES_H

#include "basis/basis.h"
#include "page.h"

// max |A Gamma|; A is m x n, column by column.
double off_free(int n, int m, const double *A, const trBasis *basis);

void put_continuity(Page *page, const char *root);
void put_small_singular_values(Page *page);
void put_extraction(Page *page, const char *root);

#endif
