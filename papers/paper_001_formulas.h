// SPDX-License-Identifier: MIT
// Parts of the page on Udwadia and Wanichanon: the rank condition, and rounding.

#ifndef TR_PAPERS_PAPER_001_FORMULAS_H
#define TR_PAPERS_PAPER_001_FORMULAS_H

#include "page.h"

void put_rank(Page *page);
void put_accuracy(Page *page);

#endif
