/* group_stage.cl - see group.cl: the exchange before a pass. BEFORE is what PUT knows the pass before it by:
 * its radix, and what it joined. */
        barrier(CLK_LOCAL_MEM_FENCE); /* all have taken what was there */
#define RADIX RADIX_BEFORE
#define JOINED JOINED_BEFORE
        {
            __local float2 *const at = row_points + SPACED(PUT_BASE);
#if JOINED_BEFORE == 1 && GAP == 2
            EACH_PAIR(PUT_PAIR)
#else
            EACH(PUT)
#endif
        }
#undef RADIX
#undef JOINED
        barrier(CLK_LOCAL_MEM_FENCE);
#define RADIX RADIX_HERE
#define JOINED JOINED_HERE
        {
            __local const float2 *const at = row_points + SPACED(t);
            EACH(TAKE)
        }
