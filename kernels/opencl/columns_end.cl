/* columns_end.cl - ends the kernel of columns_begin.cl: stores into scratch as the rows of
 * rows_begin.cl. */
#define STORE(q) to[OUTPUT_OF(q) * (POINTS / LENGTH)] = c##q;
    EACH(STORE)
#undef STORE
}
