/* group_stage.cl - the exchange through local memory before a pass (group.cl). RADIX_BEFORE and
 * JOINED_BEFORE are the radix and `joined` of the previous pass, which STORE_LOCAL depends on. */
        barrier(CLK_LOCAL_MEM_FENCE); /* all have loaded the previous contents */
#define RADIX RADIX_BEFORE
#define JOINED JOINED_BEFORE
        {
            __local float2 *const at = row_points + PADDED(STORE_BASE);
            EACH(STORE_LOCAL)
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
