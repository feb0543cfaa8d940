/* tlb.c - walks over pages, what they say of the TLB, and the table of them. */
#include "studies/four_easy_ways/tlb.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "studies/four_easy_ways/four_easy_ways.h"

enum {
    HUGE_PAGE = 2 << 20,
    LINE = 64,
    LINES = 64, /* of a page of 4 KiB, in which a walk changes lines */
    FAR = 1024, /* pages from stream to stream: the ways */
    CHASES = 1 << 16,
    QUICK_CHASES = 1 << 13
};
static const double rise = 1.5, last_rise = 2; /* of a walk's time: beyond a level */

/* ---- pages -------------------------------------------------------------------------------- */

int pages_map(struct pages *p, size_t bytes, bool huge)
{
    *p = (struct pages){.bytes = bytes + 2 * (size_t)HUGE_PAGE};
    p->map = mmap(NULL, p->bytes, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p->map == MAP_FAILED) {
        *p = (struct pages){0};
        return -ENOMEM;
    }
    madvise(p->map, p->bytes, huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE); /* advice: it may fail */
    p->at = (char *)p->map + (HUGE_PAGE - (uintptr_t)p->map % HUGE_PAGE);
    return 0;
}

void pages_unmap(struct pages *p)
{
    if (p->map)
        munmap(p->map, p->bytes);
    *p = (struct pages){0};
}

bool pages_can_be_huge(void)
{
    char text[100] = "[never]";
    FILE *f = fopen("/sys/kernel/mm/transparent_hugepage/enabled", "r");
    if (f && !fgets(text, sizeof text, f))
        snprintf(text, sizeof text, "[never]");
    if (f)
        fclose(f);
    return !strstr(text, "[never]");
}

/* ---- walks -------------------------------------------------------------------------------- */

struct walk {
    struct pages pages;
    void ***order; /* [count]: the places in the order of the walk; each holds the next one */
    void **at;     /* of the chase */
    uint32_t count, chases;
};

static void shuffle(void ***order, uint32_t count)
{
    uint64_t state = count;
    for (uint32_t i = count - 1; i > 0; i--) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        const uint32_t j = (uint32_t)(state >> 33) % (i + 1);
        void **t = order[i];
        order[i] = order[j];
        order[j] = t;
    }
}

/* stride: of the places; in those of a page or more each is in another line of its page. */
static int walk_init(struct walk *w, const struct study *s, uint32_t count, size_t stride)
{
    *w = (struct walk){.order = malloc(count * sizeof *w->order),
                       .count = count,
                       .chases = s->options.quick ? QUICK_CHASES : CHASES};
    if (!w->order || pages_map(&w->pages, count * stride, false) < 0)
        return -ENOMEM;
    const bool apart = stride > LINE;
    for (uint32_t i = 0; i < count; i++)
        w->order[i] = (void **)((char *)w->pages.at + i * stride +
                                (apart ? (size_t)(i * 7 % LINES) * LINE : 0));
    shuffle(w->order, count);
    for (uint32_t i = 0; i < count; i++)
        *w->order[i] = w->order[(i + 1) % count];
    w->at = w->order[0];
    return 0;
}

static void walk_finish(struct walk *w)
{
    pages_unmap(&w->pages);
    free(w->order);
}

/* Each address comes from memory. */
static void chase(void *user)
{
    struct walk *w = user;
    void **at = w->at;
    for (uint32_t i = 0; i < w->chases; i++)
        at = *at;
    w->at = at;
}

/* The addresses are known. */
static void visit(void *user)
{
    struct walk *w = user;
    uintptr_t sum = 0;
    for (uint32_t done = 0; done < w->chases; done += w->count)
        for (uint32_t i = 0; i < w->count; i++)
            sum += (uintptr_t)*w->order[i];
    w->at = w->order[sum % w->count];
}

/* Nanoseconds of one read. NaN: no memory. */
static double walk_ns(const struct study *s, uint32_t count, size_t stride, void (*way)(void *))
{
    struct walk w;
    double ns = NAN;
    if (walk_init(&w, s, count, stride) == 0) {
        const uint32_t reads = way == chase ? w.chases : (w.chases + count - 1) / count * count;
        ns = 1e9 * study_seconds(s, way, &w) / reads;
    }
    walk_finish(&w);
    return ns;
}

/* ---- the TLB's levels ---------------------------------------------------------------------- */

static const uint32_t sizes[] = {16,  24,  32,  48,   64,   96,   128,  192,  256,
                                 384, 512, 768, 1024, 1536, 2048, 3072, 4096, 8192};
static const uint32_t streams[] = {1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 24, 32, 48, 64};
enum { SIZES = sizeof sizes / sizeof sizes[0], STREAMS = sizeof streams / sizeof streams[0] };

struct levels {
    size_t page;
    double paged[SIZES], packed[SIZES]; /* ns of a chase */
    uint32_t entries, ways, last;
};

/* A level has a power of two of sets. */
static uint32_t whole_sets(uint32_t entries, uint32_t ways)
{
    uint32_t sets = 1;
    while (2 * sets * ways <= entries)
        sets *= 2;
    return sets * ways;
}

static void find_levels(const struct study *s, struct levels *l)
{
    double ns[SIZES], far[STREAMS];
    uint32_t i = 0;
    l->page = (size_t)sysconf(_SC_PAGESIZE);
    for (uint32_t k = 0; k < SIZES; k++) {
        l->paged[k] = walk_ns(s, sizes[k], l->page, chase);
        l->packed[k] = walk_ns(s, sizes[k], LINE, chase);
        ns[k] = fmax(l->paged[k] - l->packed[k], 0) + l->packed[0];
    }
    for (uint32_t k = 0; k < STREAMS; k++)
        far[k] = walk_ns(s, streams[k], l->page * FAR, chase);
    l->entries = cost_capacity(sizes, ns, SIZES, rise);
    l->ways = cost_capacity(streams, far, STREAMS, rise);
    if (l->ways > l->entries)
        l->ways = l->entries;
    while (i < SIZES - 1 && sizes[i] <= l->entries)
        i++;
    l->last = cost_capacity(sizes + i, ns + i, SIZES - i, last_rise);
}

/* Seconds that a page costs more than a line, when this many are read. */
static double miss_seconds(const struct study *s, uint32_t count, size_t page)
{
    return fmax(1e-9 * (walk_ns(s, count, page, visit) - walk_ns(s, count, LINE, visit)), 0);
}

static void describe(const struct study *s, const struct levels *l, struct cost_cache *first,
                     struct cost_cache *last)
{
    const uint32_t entries = whole_sets(l->entries, l->ways);
    *first = (struct cost_cache){entries * l->page, l->page, l->ways,
                                 miss_seconds(s, 2 * l->entries, l->page)};
    *last = (struct cost_cache){l->last * l->page, l->page, l->last,
                                miss_seconds(s, sizes[SIZES - 1], l->page)};
    last->miss_s = fmax(last->miss_s - first->miss_s, 0);
}

void tlb_measure(const struct study *s, struct cost_cache *first, struct cost_cache *last)
{
    struct levels l;
    find_levels(s, &l);
    describe(s, &l, first, last);
}

/* ---- the table ----------------------------------------------------------------------------- */

static void level_row(struct study *s, const char *name, const struct cost_cache *level)
{
    const uint64_t entries = level->bytes / level->line_bytes;
    table_row(&s->tables, (struct cell[]){CELL_TEXT(name), CELL_NUMBER(entries, 5), CELL_NONE,
                                          CELL_NONE, CELL_NONE, CELL_NUMBER(level->ways, 5),
                                          CELL_NUMBER(1e9 * level->miss_s, 3)});
}

int study_tlb(struct study *s)
{
    static const char *const columns[] = {
        "pages",   "number", "a line of each, ns", "lines side by side, ns",
        "TLB, ns", "ways",   "a miss, ns",         NULL};
    struct cost_cache first, last;
    struct levels l;

    find_levels(s, &l);
    describe(s, &l, &first, &last);
    table_open(&s->tables, "tlb",
               "\"A goal for general radix research is to determine what specific machine "
               "parameters affect which radix to use.\"\n"
               "The TLB, by walks over pages; a walk waits for each read, a miss's time is that of "
               "reads that do not wait.",
               columns);
    for (uint32_t i = 0; i < SIZES; i++)
        table_row(&s->tables,
                  (struct cell[]){CELL_TEXT("walk"), CELL_NUMBER(sizes[i], 5),
                                  CELL_NUMBER(l.paged[i], 3), CELL_NUMBER(l.packed[i], 3),
                                  CELL_NUMBER(l.paged[i] - l.packed[i], 3), CELL_NONE, CELL_NONE});
    level_row(s, "first level", &first);
    level_row(s, "last level", &last);
    return 0;
}
