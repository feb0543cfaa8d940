/*
 * vpm.c - emulates the VPM, 64 rows of 16 words, and the DMA between it and memory.
 *
 * Stores run in sequence. They are known to have ended only after a QPU has waited for them; until
 * then the cells that they read must not be overwritten. Writes to the VPM complete later than they
 * are issued. A store may read another QPU's writes only after that QPU has read from the VPM.
 */
#include "emulate/qpu/state.h"

#include <assert.h>
#include <string.h>

enum { SIZE_32 = 2, READ_LATENCY = 4 };

static uint32_t field(uint32_t word, int high, int low)
{
    return word >> low & ((1u << (high - low + 1)) - 1);
}

/* A count field, in which 0 means the maximum. */
static uint32_t count(uint32_t word, int high, int low)
{
    const uint32_t n = field(word, high, low);
    return n ? n : 1u << (high - low + 1);
}

/* `words` cells of a row from `column` on, one bit each. Set-ups admit rows inside the VPM only. */
static uint16_t cells(uint32_t column, uint32_t words)
{
    assert(column + words <= QPU_LANES);
    return (uint16_t)(((1u << words) - 1) << column);
}

static bool access_supported(struct emulator *e, const struct qpu *q, uint32_t word)
{
    const bool plain = field(word, 9, 8) == SIZE_32 && !field(word, 10, 10);
    if (!plain)
        emulator_fail(e, q, "VPM access 0x%08x is not by 32-bit words", word);
    return plain;
}

static void setup_vdw(struct emulator *e, struct qpu *q, uint32_t word)
{
    if (word >> 30 == 3) {
        q->vdw_stride = field(word, 15, 0);
        if (field(word, 16, 16))
            emulator_fail(e, q, "block mode of stores is not emulated");
        return;
    }
    const bool plain = !field(word, 2, 0) && !field(word, 15, 15) && field(word, 14, 14);
    const bool inside = field(word, 6, 3) + count(word, 22, 16) <= QPU_LANES &&
                        field(word, 13, 7) + count(word, 29, 23) <= QPU_VPM_ROWS;
    if (!plain)
        emulator_fail(e, q, "store 0x%08x is not of rows of 32-bit words", word);
    if (!inside)
        emulator_fail(e, q, "store 0x%08x leaves the VPM", word);
    q->vdw_setup = word;
    q->vdw_set = plain && inside;
}

void vpm_setup_write(struct emulator *e, struct qpu *q, uint32_t word)
{
    if (word >> 30 >= 2) {
        setup_vdw(e, q, word);
    } else if (word >> 30 == 0 && access_supported(e, q, word)) {
        q->vw = (struct vpm_write){.set = true,
                                   .horizontal = field(word, 11, 11),
                                   .address = (uint8_t)field(word, 5, 0),
                                   .step = (uint8_t)field(word, 17, 12)};
    }
}

static void setup_vdr(struct emulator *e, struct qpu *q, uint32_t word)
{
    if (word >> 28 == 9) {
        q->vdr_stride = field(word, 12, 0);
        return;
    }
    if (field(word, 30, 28) || field(word, 11, 11))
        emulator_fail(e, q, "load 0x%08x is not of rows of 32-bit words", word);
    const uint32_t last = field(word, 9, 4) + (count(word, 19, 16) - 1) * count(word, 15, 12);
    if (field(word, 3, 0) + count(word, 23, 20) > QPU_LANES || last >= QPU_VPM_ROWS)
        emulator_fail(e, q, "load 0x%08x leaves the VPM", word);
    q->vdr_setup = word;
    q->vdr_set = true;
}

void vpm_setup_read(struct emulator *e, struct qpu *q, uint32_t word)
{
    if (word >> 31) {
        setup_vdr(e, q, word);
        return;
    }
    if (!access_supported(e, q, word))
        return;
    if (q->vr.left)
        emulator_fail(e, q, "a VPM read is set up while %d vectors are left", q->vr.left);
    q->vr = (struct vpm_read){.horizontal = field(word, 11, 11),
                              .address = (uint8_t)field(word, 5, 0),
                              .step = (uint8_t)field(word, 17, 12),
                              .left = (uint8_t)count(word, 23, 20),
                              .ready = q->issued + READ_LATENCY};
}

/* The cell of lane i of a vector. */
struct cell {
    int row, column;
};

static struct cell cell_at(bool horizontal, uint8_t address, int lane)
{
    if (horizontal)
        return (struct cell){address, lane};
    return (struct cell){(address >> 4) * 16 + lane, address & 15};
}

static uint8_t next_address(uint8_t address, uint8_t step)
{
    return (uint8_t)(address + step) % QPU_VPM_ROWS;
}

void vpm_write(struct emulator *e, struct qpu *q, const struct value *value)
{
    if (!q->vw.set)
        emulator_fail(e, q, "writes to the VPM without a setup");
    for (int i = 0; i < QPU_LANES; i++) {
        const struct cell at = cell_at(q->vw.horizontal, q->vw.address, i);
        const uint16_t bit = (uint16_t)(1u << at.column);
        if (e->vpm_storing[at.row] & bit)
            emulator_fail(e, q, "overwrites row %d of the VPM, which is being stored", at.row);
        e->vpm[at.row][at.column] = value->v[i];
        e->vpm_unconfirmed[q->number][at.row] |= bit;
        if (value->defined >> i & 1)
            e->vpm_defined[at.row] |= bit;
        else
            e->vpm_defined[at.row] &= (uint16_t)~bit;
    }
    q->vw.address = next_address(q->vw.address, q->vw.step);
}

void vpm_read(struct emulator *e, struct qpu *q, struct value *out)
{
    if (!q->vr.left) {
        emulator_fail(e, q, "reads more of the VPM than it set up");
        return;
    }
    if (q->issued < q->vr.ready) {
        emulator_warn(e, q, "reads the VPM too soon after the setup");
        e->report->early_vpm_reads++;
    }
    out->defined = 0;
    for (int i = 0; i < QPU_LANES; i++) {
        const struct cell at = cell_at(q->vr.horizontal, q->vr.address, i);
        out->v[i] = e->vpm[at.row][at.column];
        out->defined |= (uint16_t)((e->vpm_defined[at.row] >> at.column & 1) << i);
    }
    q->vr.address = next_address(q->vr.address, q->vr.step);
    q->vr.left--;
    memset(e->vpm_unconfirmed[q->number], 0, sizeof e->vpm_unconfirmed[0]);
}

static void store_now(struct emulator *e, const struct qpu *q, struct transfer *store)
{
    const uint32_t setup = store->setup, words = count(setup, 22, 16);
    const uint32_t row = field(setup, 13, 7), column = field(setup, 6, 3);
    const uint16_t need = cells(column, words);
    const uint32_t bytes = 4 * words;
    uint32_t bus = store->bus;
    for (uint32_t r = row; r < row + count(setup, 29, 23); r++) {
        uint8_t *to = emulator_memory(e, bus, bytes);
        if (!to) {
            emulator_fail(e, q, "stores to 0x%08x, which is nobody's", bus);
            return;
        }
        if ((e->vpm_defined[r] & need) != need)
            emulator_fail(e, q, "stores row %u of the VPM, which nobody wrote", r);
        memcpy(to, &e->vpm[r][column], bytes);
        const uint32_t first = bus - BUS_BASE, last = first + bytes - 1;
        for (uint32_t line = first / LINE_BYTES; line <= last / LINE_BYTES; line++)
            e->versions[line]++;
        bus += bytes + store->stride;
        e->report->stored_bytes += bytes;
    }
    store->done = true;
}

/* Fails if another QPU has not confirmed its writes to the cells that a store reads. */
static void check_confirmed(struct emulator *e, const struct qpu *q, uint32_t row, uint16_t need)
{
    for (uint32_t other = 0; other < QPU_COUNT; other++)
        if (other != q->number && (e->vpm_unconfirmed[other][row] & need))
            emulator_fail(e, q, "stores row %u before qpu %u has read back what it wrote", row,
                          other);
}

void vpm_store(struct emulator *e, struct qpu *q, uint32_t bus)
{
    if (!q->vdw_set || bus % 4) {
        emulator_fail(e, q, "starts a store to 0x%08x that is not set up", bus);
        return;
    }
    const uint32_t setup = q->vdw_setup, row = field(setup, 13, 7);
    const uint16_t need = cells(field(setup, 6, 3), count(setup, 22, 16));
    if (e->store_count == STORE_QUEUE) {
        emulator_fail(e, q, "starts store after store and never waits");
        return;
    }
    for (uint32_t r = row; r < row + count(setup, 29, 23); r++) {
        check_confirmed(e, q, r, need);
        e->vpm_storing[r] |= need;
    }
    struct transfer *store = &e->stores[e->store_count++];
    *store = (struct transfer){.setup = setup, .stride = q->vdw_stride, .bus = bus};
    if (!e->late)
        store_now(e, q, store);
}

void vpm_store_wait(struct emulator *e, struct qpu *q)
{
    for (uint32_t i = 0; i < e->store_count; i++)
        if (!e->stores[i].done)
            store_now(e, q, &e->stores[i]);
    e->store_count = 0;
    memset(e->vpm_storing, 0, sizeof e->vpm_storing);
}

static void load_now(struct emulator *e, const struct qpu *q)
{
    const uint32_t setup = e->load.setup, words = count(setup, 23, 20);
    const uint32_t column = field(setup, 3, 0), pitch = field(setup, 27, 24);
    const uint32_t bytes = 4 * words;
    uint32_t row = field(setup, 9, 4), bus = e->load.bus;
    for (uint32_t r = 0; r < count(setup, 19, 16); r++, row += count(setup, 15, 12)) {
        const uint8_t *from = emulator_memory(e, bus, bytes);
        if (!from) {
            emulator_fail(e, q, "loads from 0x%08x, which is nobody's", bus);
            return;
        }
        memcpy(&e->vpm[row][column], from, bytes);
        e->vpm_defined[row] |= cells(column, words);
        bus += pitch ? 8u << pitch : e->load.stride;
        e->report->loaded_bytes += bytes;
    }
    e->load.done = true;
}

void vpm_load(struct emulator *e, struct qpu *q, uint32_t bus)
{
    if (!q->vdr_set || bus % 4) {
        emulator_fail(e, q, "starts a load from 0x%08x that is not set up", bus);
        return;
    }
    if (e->load.active && !e->load.done)
        load_now(e, q);
    e->load = (struct transfer){
        .active = true, .setup = q->vdr_setup, .stride = q->vdr_stride, .bus = bus};
    if (!e->late)
        load_now(e, q);
}

void vpm_load_wait(struct emulator *e, struct qpu *q)
{
    if (e->load.active && !e->load.done)
        load_now(e, q);
    e->load.active = false;
}
