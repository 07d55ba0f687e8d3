// SPDX-License-Identifier: MIT
// Listings of what there is, from trammel/registry.h.

#ifndef TR_REPORT_LISTING_H
#define TR_REPORT_LISTING_H

#include "report/report.h"
#include "trammel/registry.h"

typedef struct trListing {
    int             families;
    const trFamily *family;  // families
    const char     *name;    // one kind in full; NULL: all in short
    int             dim;     // 0: both
} trListing;

bool tr_listing_has(const trListing *listing, trFamily family, int index);  // whether it is in it
// NULL when out of memory.
trReport *tr_report_listing(const trListing *listing);

#endif
