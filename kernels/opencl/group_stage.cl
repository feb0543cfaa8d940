/* group_stage.cl - see group.cl: the exchange before a pass. BEFORE is what STORE_LOCAL knows the pass before it by:
 * its radix, and what it joined. */
        barrier(CLK_LOCAL_MEM_FENCE); /* all have taken what was there */
#define RADIX RADIX_BEFORE
#define JOINED JOINED_BEFORE
        {
            __local float2 *const at = row_points + PADDED(STORE_BASE);
#if JOINED_BEFORE == 1 && GAP == 2
            EACH_PAIR(STORE_LOCAL_PAIR)
#else
            EACH(STORE_LOCAL)
#endif
        }
#undef RADIX
#undef JOINED
        barrier(CLK_LOCAL_MEM_FENCE);
#define RADIX RADIX_HERE
#define JOINED JOINED_HERE
        {
            __local const float2 *const at = row_points + PADDED(t);
            EACH(LOAD_LOCAL)
        }
