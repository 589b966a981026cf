/* SPDX-License-Identifier: BSD-3-Clause */
/* The store of frame counters on a medium in RAM.
 *
 * The first octet chooses: a medium with any contents, or work on a good one that power cuts
 * interrupt at any call, in the ways that port/counter_port.h allows. Judged: the store keeps the
 * port's rules for programming; a store that does not open grants nothing; one that opens says the
 * limits that the last valid records of the newest segment say; after a power cut it always opens,
 * and no limit is below a counter that was granted. */
#include "harness.h"
#include <wardmote/counter_store.h>

#define SEGMENTS_MAX 3
#define SEGMENT_MAX 64
#define SLOTS_MAX 5
#define PLACE 8
#define UNIT 2
#define HEADER 0xA5u
#define NEVER 0xFFFFu
#define STEPS_MAX 40

static struct {
    uint8_t octet[SEGMENTS_MAX][SEGMENT_MAX];
    /* a unit was programmed since it was erased */
    uint8_t times[SEGMENTS_MAX][SEGMENT_MAX / UNIT];
    /* before power fails within the next; NEVER */
    uint16_t calls_left;
    bool off;
    /* what is there was not written by the store: its rules about units do not hold for it */
    bool any_contents;
    uint32_t noise; /* which bits an interrupted call reaches */
} medium;

static wm_counter_port port;

static uint8_t noise(void)
{
    medium.noise = medium.noise * 1664525u + 1013904223u;
    return (uint8_t)(medium.noise >> 24);
}

/* Power at this call: 0 none, 1 it fails within, 2 it is there. */
static int power(void)
{
    if (medium.off) {
        return 0;
    }
    if (medium.calls_left == NEVER) {
        return 2;
    }
    medium.off = medium.calls_left-- == 0;
    return medium.off ? 1 : 2;
}

static wm_status medium_read(void *which, uint8_t segment, uint16_t offset, uint8_t *to,
                             uint16_t len)
{
    FUZZ_REQUIRE(which == &medium && segment < port.segments &&
                 offset + len <= port.segment_octets);
    if (medium.off) {
        return WM_ERR_STORAGE;
    }
    memcpy(to, medium.octet[segment] + offset, len);
    return WM_OK;
}

static wm_status medium_program(void *which, uint8_t segment, uint16_t offset, const uint8_t *from,
                                uint16_t len)
{
    const int on = power();
    uint16_t i;

    FUZZ_REQUIRE(which == &medium && segment < port.segments &&
                 offset + len <= port.segment_octets);
    FUZZ_REQUIRE(offset % UNIT == 0 && len % UNIT == 0 && len != 0);
    for (i = 0; i < len && on != 0; i++) {
        uint8_t *times = &medium.times[segment][(offset + i) / UNIT];
        FUZZ_REQUIRE(medium.any_contents || *times == 0 || (*times < 3 && from[i] == 0));
        medium.octet[segment][offset + i] &= (uint8_t)(on == 2 ? from[i] : from[i] | noise());
        /* an operation that was cut before its first bit leaves no trace */
        if (i % UNIT != 0) {
            *times =
                (uint8_t)(*times + !fuzz_all(medium.octet[segment] + offset + i - 1, UNIT, 0xFF));
        }
    }
    return on == 2 ? WM_OK : WM_ERR_STORAGE;
}

static wm_status medium_erase(void *which, uint8_t segment)
{
    const int on = power();
    uint16_t i;

    FUZZ_REQUIRE(which == &medium && segment < port.segments);
    for (i = 0; i < port.segment_octets && on != 0; i++) {
        medium.times[segment][i / UNIT] = 0;
        medium.octet[segment][i] |= (uint8_t)(on == 2 ? 0xFF : noise());
    }
    return on == 2 ? WM_OK : WM_ERR_STORAGE;
}

/* Reads and writes records without the store's code. */

static uint16_t crc15(const uint8_t *octets)
{
    uint32_t rest = 0xFFFF;
    unsigned bit;

    for (bit = 0; bit < 48; bit++) {
        const uint32_t in = octets[bit / 8] >> (7 - bit % 8) & 1u;
        rest = (rest >> 15 ^ in) != 0 ? (rest << 1 ^ 0x1021u) & 0xFFFFu : rest << 1 & 0xFFFFu;
    }
    return rest & 0x7FFFu;
}

static uint8_t zero_bits(const uint8_t *octets)
{
    return (uint8_t)(40 - __builtin_popcount(octets[0]) - __builtin_popcount(octets[2]) -
                     __builtin_popcount(octets[3]) - __builtin_popcount(octets[4]) -
                     __builtin_popcount(octets[5]));
}

static bool valid(const uint8_t *octets)
{
    const uint16_t mark = (uint16_t)(octets[6] | octets[7] << 8);

    return !fuzz_all(octets, PLACE, 0xFF) && octets[1] == zero_bits(octets) &&
           (mark & crc15(octets)) == crc15(octets);
}

static uint32_t value_of(const uint8_t *octets)
{
    return octets[2] | (uint32_t)octets[3] << 8 | (uint32_t)octets[4] << 16 |
           (uint32_t)octets[5] << 24;
}

/* Writes a record: whole, without mark, or with octets that a medium lost. */
static void write_place(fuzz_input *in, uint8_t *at)
{
    const uint8_t how = fuzz_u8(in);

    memset(at, 0xFF, PLACE);
    if ((how & 7u) == 0) {
        return;
    }
    at[0] = (how & 8u) != 0 ? HEADER : (uint8_t)(how >> 4 & 7u);
    at[2] = fuzz_u8(in);
    at[3] = fuzz_u8(in);
    at[4] = at[5] = (how & 0x80u) != 0 ? 0xFF : 0;
    at[1] = zero_bits(at);
    if ((how & 7u) != 1) {
        at[6] = (uint8_t)crc15(at);
        at[7] = (uint8_t)(crc15(at) >> 8);
    }
    if ((how & 7u) == 2) {
        at[fuzz_u8(in) % PLACE] ^= fuzz_u8(in);
    }
}

/* Returns the segment that counts, which has the valid header with the highest generation, or
 * `segments` if there is none. */
static uint8_t newest(void)
{
    uint8_t best = port.segments;
    uint8_t segment;

    for (segment = 0; segment < port.segments; segment++) {
        const uint8_t *header = medium.octet[segment];
        if (valid(header) && header[0] == HEADER &&
            (best == port.segments || value_of(header + 0) >= value_of(medium.octet[best]))) {
            best = segment;
        }
    }
    return best;
}

static int judge_any(fuzz_input *in, uint8_t slots)
{
    uint32_t limit[SLOTS_MAX];
    uint32_t want[SLOTS_MAX] = {0};
    wm_counter_store store;
    wm_status status;
    uint16_t at;
    uint8_t i;
    uint8_t segment;

    medium.any_contents = true;
    for (segment = 0; segment < port.segments; segment++) {
        for (at = 0; at + PLACE <= port.segment_octets; at = (uint16_t)(at + PLACE)) {
            write_place(in, medium.octet[segment] + at);
        }
    }
    segment = newest();
    for (at = 2 * PLACE; segment < port.segments && at + PLACE <= port.segment_octets;
         at = (uint16_t)(at + PLACE)) {
        const uint8_t *record = medium.octet[segment] + at;
        if (valid(record) && record[0] < SLOTS_MAX) {
            want[record[0]] = value_of(record);
        }
    }
    status = wm_counter_store_open(&store, &port, &medium, limit, slots, 1u << (fuzz_u8(in) & 31u));
    FUZZ_REQUIRE(status != WM_ERR_NO_STORE || segment == port.segments);
    for (i = 0; i < slots; i++) {
        FUZZ_REQUIRE(wm_counter_store_limit(&store, i) == (status == WM_OK ? want[i] : UINT32_MAX));
        FUZZ_REQUIRE(status == WM_OK || wm_counter_store_advance(&store, i, 1) != WM_OK);
    }
    FUZZ_REQUIRE(wm_counter_store_limit(&store, slots) == UINT32_MAX);
    if (status != WM_OK) {
        FUZZ_REQUIRE(wm_counter_store_free(&store) == 0);
        FUZZ_REQUIRE(wm_counter_store_compact(&store) == WM_ERR_STORAGE);
    }
    return FUZZ_TAKEN;
}

/* Work. `granted` is what a slot's limit must not fall below; a clear that was interrupted may or
 * may not have happened. */
typedef struct work {
    wm_counter_store store;
    uint32_t limit[SLOTS_MAX];
    uint32_t granted[SLOTS_MAX];
    uint32_t block;
    uint8_t slots;
} work;

static void reopen(work *w)
{
    uint8_t i;

    medium.off = false;
    FUZZ_REQUIRE(wm_counter_store_open(&w->store, &port, &medium, w->limit, w->slots, w->block) ==
                 WM_OK);
    for (i = 0; i < w->slots; i++) {
        FUZZ_REQUIRE(w->limit[i] >= w->granted[i]);
    }
}

static void advance(work *w, fuzz_input *in, uint8_t slot)
{
    const uint8_t how = fuzz_u8(in);
    const uint32_t before = wm_counter_store_limit(&w->store, slot);
    const uint32_t next = (how & 0x80u) != 0 ? fuzz_u32(in) : w->granted[slot % SLOTS_MAX] + how;
    const wm_status status = wm_counter_store_advance(&w->store, slot, next);
    const uint32_t limit = wm_counter_store_limit(&w->store, slot);

    if (slot >= w->slots) {
        FUZZ_REQUIRE(status == WM_ERR_PARAM);
    } else if (next == 0) {
        FUZZ_REQUIRE(status == WM_ERR_COUNTER && limit == before);
    } else if (status == WM_OK) {
        FUZZ_REQUIRE(limit >= next && limit >= before &&
                     (limit == before || limit - next < w->block));
        w->granted[slot] = next > w->granted[slot] ? next : w->granted[slot];
    } else {
        FUZZ_REQUIRE(status == WM_ERR_STORAGE && limit == before && next > before && medium.off);
    }
}

static void clear(work *w, uint8_t slot)
{
    const wm_status status = wm_counter_store_clear(&w->store, slot);

    FUZZ_REQUIRE((status == WM_ERR_PARAM) == (slot >= w->slots));
    if (slot < w->slots) {
        w->granted[slot] = 0;
        FUZZ_REQUIRE(status != WM_OK || wm_counter_store_limit(&w->store, slot) == 0);
    }
}

/* After a failed call the store stays failed. Power returns and the store is opened again, and
 * perhaps cut once more. */
static void judge_work(fuzz_input *in, uint8_t slots)
{
    work w = {.slots = slots, .block = 1u << (fuzz_u8(in) & 7u)};
    unsigned steps = 0;

    FUZZ_REQUIRE(wm_counter_store_destroy(&port, &medium) == WM_OK);
    FUZZ_REQUIRE(wm_counter_store_create(&port, &medium) == WM_OK);
    FUZZ_REQUIRE(wm_counter_store_create(&port, &medium) == WM_ERR_STATE);
    reopen(&w);
    while (in->left != 0 && steps++ < STEPS_MAX) {
        const uint8_t what = fuzz_u8(in);
        const uint8_t slot = what >> 3 & 7u;
        const uint16_t free_before = wm_counter_store_free(&w.store);
        switch (what & 7u) {
        case 0:
            medium.calls_left = fuzz_u8(in) & 0x1Fu;
            break;
        case 1:
            w.block = 1u << (fuzz_u8(in) & 7u);
            reopen(&w);
            break;
        case 2:
            clear(&w, slot);
            break;
        case 3:
            FUZZ_REQUIRE(wm_counter_store_compact(&w.store) == WM_OK || medium.off);
            FUZZ_REQUIRE(medium.off || wm_counter_store_free(&w.store) + w.slots >= free_before);
            break;
        default:
            advance(&w, in, slot);
        }
        if (medium.off) {
            medium.calls_left = NEVER;
            if ((what & 0x40u) != 0) { /* once more, while it is opened */
                medium.off = false;
                medium.calls_left = what >> 7;
                (void)wm_counter_store_open(&w.store, &port, &medium, w.limit, w.slots, w.block);
                medium.calls_left = NEVER;
            }
            reopen(&w);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input in = {data, size};
    const uint8_t choice = fuzz_u8(&in);
    const uint8_t slots = (uint8_t)(1u + (choice >> 1 & 3u));

    memset(&medium, 0, sizeof medium);
    medium.calls_left = NEVER;
    medium.noise = fuzz_u32(&in);
    port = (wm_counter_port){.segment_octets = (choice & 0x08u) != 0 ? 64 : 56,
                             .unit = UNIT,
                             .segments = (choice & 0x10u) != 0 ? 3 : 2,
                             .read = medium_read,
                             .program = medium_program,
                             .erase = medium_erase};
    if ((choice & 1u) != 0) {
        return judge_any(&in, slots);
    }
    judge_work(&in, slots);
    return FUZZ_TAKEN;
}
