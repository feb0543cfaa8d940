/*
 * tlb.h - the machine's TLB, found by walks over memory, and memory on small or huge pages.
 *
 * No kernel says what a TLB holds, and a virtual machine hides it from cpuid. A walk reads one line
 * of each page of a set, each address from the line before, in random order. The same walk over as
 * many lines side by side shows what the caches take; the difference is the TLB's. While all pages
 * are mapped there is none; beyond the first level, and beyond the last, the time rises.
 */
#ifndef FFTD_STUDIES_FOUR_EASY_WAYS_TLB_H
#define FFTD_STUDIES_FOUR_EASY_WAYS_TLB_H

#include "studies/four_easy_ways/derivation/cost.h"
#include "studies/study.h"

/* Memory of zeros on pages of one size. */
struct pages {
    void *map, *at; /* at: aligned to a huge page; NULL: no memory */
    size_t bytes;   /* of map */
};

int pages_map(struct pages *p, size_t bytes, bool huge); /* -ENOMEM */
void pages_unmap(struct pages *p);                       /* also after a failure */
bool pages_can_be_huge(void);                            /* the kernel gives huge pages on advice */

/*
 * Measures the first level, whose ways are the pages at a large power of two from each other that
 * it maps at once, and the last level, after which the page tables are walked. A miss's time is
 * that of reads that do not wait for each other, as a butterfly's are.
 */
void tlb_measure(const struct study *s, struct cost_cache *first, struct cost_cache *last);

#endif
