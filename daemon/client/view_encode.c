/* view_encode.c - quantises the columns of a picture, and codes or deflates them. */
#include "daemon/client/view_encode.h"

#include <string.h>
#include <zlib.h>

/*
 * Deflates levels[columns] into `into`, which holds as many bytes. Returns the deflated size, or 0
 * if that saves less than a quarter: then the next frames of this view are sent as they are.
 */
static size_t deflate_levels(struct view_encoder *e, const uint8_t *levels, uint32_t columns,
                             uint8_t *into)
{
    enum { WORTH_TRYING = 512, SKIP = 63 };
    if (columns < WORTH_TRYING || e->skip_deflate > 0) {
        e->skip_deflate -= e->skip_deflate > 0;
        return 0;
    }
    uLongf size = columns - columns / 4;
    if (compress2(into, &size, levels, columns, 1) == Z_OK)
        return size;
    e->skip_deflate = SKIP;
    return 0;
}

static struct ws_message *encode_plain(struct view_encoder *e, struct wire_header h,
                                       const uint8_t *levels)
{
    struct ws_message *frame = ws_message_create(WIRE_HEADER + h.columns);
    if (!frame)
        return NULL;
    const size_t deflated = deflate_levels(e, levels, h.columns, frame->data + WIRE_HEADER);
    if (deflated > 0) {
        h.flags |= WIRE_DEFLATED;
        frame->size = WIRE_HEADER + deflated;
    } else {
        memcpy(frame->data + WIRE_HEADER, levels, h.columns);
    }
    wire_write_header(&h, frame->data);
    return frame;
}

struct ws_message *view_encode(struct view_encoder *e, const struct view *view,
                               const struct picture *p)
{
    struct wire_header h = p->header;
    uint8_t levels[WIRE_COLUMNS_MAX];
    wire_quantise(&h, p->power, levels);
    if (view->step_db > 0)
        wire_coarsen(&h, view->step_db, levels);
    if (view->percent > 0)
        h.detector = WIRE_PERCENTILE;
    return view->coding == WIRE_RANGE ? coded_frame_create(&e->base, &h, levels)
                                      : encode_plain(e, h, levels);
}
