/*
 * fuzz_archive_message.c - libFuzzer target: what a hub and a sensor say about an archive, and the
 * blocks that a hub gets.
 *
 * The input is read as an offer, a request, a part, and as a block: head and payload, which is
 * compressed here and gets its checksum, so that what is behind it is tested. Whatever is accepted
 * arrives again as it was written; a block that is accepted can be read to its last row.
 */
#include <zlib.h>
#include <zstd.h>

#include "daemon/base/bytes.h"
#include "daemon/hub/block_check.h"
#include "daemon/hub/copies/copy.h"
#include "daemon/nats/archive_message.h"
#include "tests/fuzz/fuzz.h"

static void read_offer(const uint8_t *data, size_t size)
{
    struct archive_offer o, again;
    json_t *json = json_loadb((const char *)data, size, 0, NULL);
    if (archive_offer_read(&o, json) == 0 && o.count > 0) {
        json_t *text = archive_offer_to_json(&o);
        check(archive_offer_read(&again, text) == 0 && again.count == o.count);
        for (uint32_t i = 0; i < o.count; i++)
            check(again.tier[i].period_ns == o.tier[i].period_ns &&
                  again.tier[i].newest_ns == o.tier[i].newest_ns);
        json_decref(text);
    }
    check(o.count <= ARCHIVE_TIERS);
    json_decref(json);
}

static void read_ask(const uint8_t *data, size_t size)
{
    struct archive_ask a, again;
    if (archive_ask_read(&a, data, size) < 0)
        return;
    char *text = archive_ask_write(&a);
    check(archive_ask_read(&again, text, strlen(text)) == 0);
    check(again.period_ns == a.period_ns && again.from_ns == a.from_ns &&
          again.has_after == a.has_after && again.after.start_ns == a.after.start_ns &&
          again.after.checksum == a.after.checksum && again.offset == a.offset &&
          again.checksum == a.checksum);
    free(text);
}

static void read_part(const uint8_t *data, size_t size)
{
    static const struct archive_tiers hub = {1, {{1000000, UINT64_MAX / 4}}};
    struct archive_part p;
    struct archive_offer o = {.count = 1};
    struct archive_ask a;
    struct copy c = {.asked_ns = 0};
    if (archive_part_read(&p, data, size) < 0)
        return;
    check(p.bytes + p.count == data + size);
    o.tier[0].period_ns = p.period_ns;
    o.tier[0].newest_ns = p.id.start_ns;
    copy_set_offer(&c, &o, &hub);
    if (copy_wanted(&c) == 0) {
        copy_ask(&c, 0, INT64_MAX, &a);
        const enum copy_step step = copy_take_part(&c, &p);
        check(c.bytes.length <= ARCHIVE_PART);
        check(step != COPY_WHOLE || c.bytes.length == p.block_size);
    }
    copy_finish(&c);
}

static void read_all_rows(const uint8_t *block, size_t size)
{
    struct block_reader r;
    const struct block_levels none = {NULL, NULL, NULL, NULL};
    check(block_open(&r, block, size) == 0);
    for (uint32_t i = 0; i < r.head.rows; i++)
        check(block_next_row(&r, &none) == 0);
    block_finish(&r);
}

static void check_block(const uint8_t *block, size_t size)
{
    struct block_head head;
    if (size < BLOCK_HEAD || block_read_head(block, &head) < 0)
        return;
    const struct block_id id = {head.start_ns, head.checksum};
    const int fault = block_check_foreign(block, size, head.period_ns, id, INT64_MAX / 2);
    check(fault < COPY_FAULTS);
    if (fault < 0)
        read_all_rows(block, size);
}

static void make_block(const uint8_t *data, size_t size)
{
    const size_t capacity = ZSTD_compressBound(size);
    uint8_t *block = malloc(BLOCK_HEAD + capacity);
    memcpy(block, data, BLOCK_HEAD);
    const size_t packed =
        ZSTD_compress(block + BLOCK_HEAD, capacity, data + BLOCK_HEAD, size - BLOCK_HEAD, 1);
    bytes_put(block + 8, BLOCK_HEAD + packed, 4);
    bytes_put(block + 12, size - BLOCK_HEAD, 4);
    bytes_put(block + 4, crc32(0, block + 8, (uInt)(BLOCK_HEAD + packed - 8)), 4);
    check_block(block, BLOCK_HEAD + packed);
    free(block);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    read_offer(bytes, size);
    read_ask(bytes, size);
    read_part(bytes, size);
    check_block(bytes, size);
    if (size >= BLOCK_HEAD)
        make_block(bytes, size);
    return 0;
}
