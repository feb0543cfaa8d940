/* group_stage.cl - see group.cl: the exchange before a pass, and the pass. BEFORE is what PUT knows the
 * pass before it by: its radix, and what it joined. */
        barrier(CLK_LOCAL_MEM_FENCE); /* all have taken what was there */
#define RADIX RADIX_BEFORE
#define JOINED JOINED_BEFORE
        EACH(PUT)
#undef RADIX
#undef JOINED
        barrier(CLK_LOCAL_MEM_FENCE);
#define RADIX RADIX_HERE
#define JOINED JOINED_HERE
        EACH(TAKE)
        EACH(TURN_BY)
        BUTTERFLIES
