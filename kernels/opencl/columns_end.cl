/* columns_end.cl - see columns_begin.cl: into scratch, as the rows of rows_begin.cl. */
#define STORE(q) to[OUTPUT_OF(q) * (POINTS / LENGTH)] = c##q;
    EACH(STORE)
#undef STORE
}
