/* group_end.cl - see group.cl: the traces. RADIX is the last pass's. */
        if (i < mine) {
            EACH(TRACES_ADD)
#if ALL_TRACES
            if (begin + i == last_frame)
                WITH_ROW(result, last_at, POWER_STORE)
#endif
#if POWERS
            WITH_ROW(each + (begin + i) * POINTS, powers_at, POWER_STORE)
#endif
        }
    }

    if (mine == 0)
        return;
    if (resume) {
        WITH_ROW(traces + offset, sum_at, SUM_FOLD)
#if ALL_TRACES
        WITH_ROW(traces + offset, max_at, MAX_FOLD)
        WITH_ROW(traces + offset, min_at, MIN_FOLD)
#endif
    }
    WITH_ROW(traces + offset, sum_at, SUM_END)
#if ALL_TRACES
    WITH_ROW(traces + offset, max_at, MAX_END)
    WITH_ROW(traces + offset, min_at, MIN_END)
#endif
}
