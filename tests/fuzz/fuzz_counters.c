/* SPDX-License-Identifier: BSD-3-Clause */
/* The store of frame counters on a medium in RAM, in units of 2, 4 and 8 octets.
 *
 * The first octet chooses the medium's geometry, and what is done: a medium with any contents, or
 * work on a good one that power cuts interrupt at any unit, in the ways that port/counter_port.h
 * allows. Judged: the store keeps the port's rules for programming; a store that does not open
 * grants nothing; one that opens says the limits that the last valid records of the newest segment
 * say; after a power cut it always opens, and no limit is below a counter that was granted. */
#include "harness.h"
#include "../stack/store/counter_double.h"
#include <wardmote/counter_store.h>

#define SLOTS_MAX 5
#define RECORD 8
#define UNIT_MAX 8
#define HEADER 0xA5u
#define ENDED 0x5Au
#define STEPS_MAX 40

static counter_double medium;
static wm_counter_port port;
/* Units that were programmed to their end since they were erased. */
static bool programmed[COUNTER_DOUBLE_UNITS * 2];
/* The store did not write these contents, so its rules about units do not hold for them. */
static bool any_contents;

static size_t place_octets(void)
{
    return port.unit == 2 ? RECORD : RECORD + (size_t)port.unit;
}

static size_t octet_of(uint8_t segment, size_t offset)
{
    return segment * (size_t)port.segment_octets + offset;
}

/* The store's calls to the medium pass here; the double does the work. */

static wm_status medium_read(void *which, uint8_t segment, uint16_t offset, uint8_t *to,
                             uint16_t len)
{
    FUZZ_REQUIRE(which == &medium && segment < port.segments);
    FUZZ_REQUIRE(len != 0 && len % port.unit == 0 && offset % port.unit == 0 &&
                 offset + len <= port.segment_octets);
    return counter_double_two.read(which, segment, offset, to, len);
}

static wm_status medium_program(void *which, uint8_t segment, uint16_t offset, const uint8_t *from,
                                uint16_t len)
{
    const size_t first = octet_of(segment, offset) / port.unit;
    const size_t units = len / (size_t)port.unit;
    wm_status status;
    size_t i;

    FUZZ_REQUIRE(which == &medium && segment < port.segments);
    FUZZ_REQUIRE(len != 0 && len % port.unit == 0 && offset % port.unit == 0 &&
                 offset + len <= port.segment_octets);
    for (i = first; i < first + units && !any_contents && !medium.off; i++) {
        FUZZ_REQUIRE(!programmed[i] && fuzz_all(medium.octet + i * port.unit, port.unit, 0xFF));
        FUZZ_REQUIRE(port.unit == 2 || medium.unreadable[i] == 0);
    }
    status = counter_double_two.program(which, segment, offset, from, len);
    for (i = first; i < first + units && status == WM_OK; i++) {
        programmed[i] = true;
    }
    return status;
}

static wm_status medium_erase(void *which, uint8_t segment)
{
    size_t i;

    FUZZ_REQUIRE(which == &medium && segment < port.segments);
    for (i = 0; i < port.segment_octets && !medium.off; i++) {
        programmed[octet_of(segment, i) / port.unit] = false;
    }
    return counter_double_two.erase(which, segment);
}

/* Power fails within the unit that is programmed or the segment that is erased after `operations`
 * of them. */
static void cut_after(uint8_t operations)
{
    medium.fuse = (uint16_t)(medium.operations + 1u + operations);
}

static void power_returns(void)
{
    medium.off = false;
    medium.fuse = 0;
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

/* A place of the medium; what cannot be read is 0. */
typedef struct place {
    uint8_t octet[RECORD + UNIT_MAX];
} place;

static place place_at(uint8_t segment, unsigned number)
{
    place found = {{0}};
    size_t at;

    for (at = 0; at < place_octets(); at += port.unit) {
        const uint16_t offset = (uint16_t)(number * place_octets() + at);
        if (counter_double_two.read(&medium, segment, offset, found.octet + at, port.unit) !=
            WM_OK) {
            memset(found.octet + at, 0, port.unit);
        }
    }
    return found;
}

/* Is it a record? In units of 4 and 8 one unit more completes it, and repeats the beginning of a
 * header and of an end. */
static bool valid(const place *of, unsigned number)
{
    const uint8_t *octets = of->octet;
    const uint16_t mark = (uint16_t)(octets[6] | octets[7] << 8);

    if (fuzz_all(octets, RECORD, 0xFF) || octets[1] != zero_bits(octets)) {
        return false;
    }
    if (port.unit == 2) {
        return (mark & crc15(octets)) == crc15(octets);
    }
    return mark == crc15(octets) && !fuzz_all(octets + RECORD, port.unit, 0xFF) &&
           (number > 1 || memcmp(octets + RECORD, octets, port.unit) == 0);
}

static uint32_t value_of(const place *of)
{
    const uint8_t *octets = of->octet;

    return octets[2] | (uint32_t)octets[3] << 8 | (uint32_t)octets[4] << 16 |
           (uint32_t)octets[5] << 24;
}

/* Writes a record: whole, without what completes it, with octets that a medium lost, or with units
 * that cannot be read. */
static void write_place(fuzz_input *in, uint8_t segment, unsigned number)
{
    const uint8_t how = fuzz_u8(in);
    const size_t first = octet_of(segment, number * place_octets());
    uint8_t *at = medium.octet + first;

    memset(at, 0xFF, place_octets());
    if ((how & 7u) == 0) {
        return;
    }
    at[0] = (how & 8u) != 0 ? HEADER : (uint8_t)(how >> 4 & 7u);
    at[0] = (how & 0x78u) == 0x70u ? ENDED : at[0];
    at[2] = fuzz_u8(in);
    at[3] = fuzz_u8(in);
    at[4] = at[5] = (how & 0x80u) != 0 ? 0xFF : 0;
    at[1] = zero_bits(at);
    if (port.unit != 2 || (how & 7u) != 1) {
        at[6] = (uint8_t)crc15(at);
        at[7] = (uint8_t)(crc15(at) >> 8);
    }
    if (port.unit != 2 && (how & 7u) != 1) {
        memcpy(at + RECORD, at, port.unit);
    }
    if ((how & 7u) == 2) {
        at[fuzz_u8(in) % place_octets()] ^= fuzz_u8(in);
    }
    if (port.unit != 2 && (how & 7u) == 3) {
        const size_t unit = fuzz_u8(in) % (place_octets() / port.unit);
        medium.unreadable[first / port.unit + unit] = 1;
    }
}

/* Returns the segment that counts, which has the valid header with the highest generation of those
 * that have not ended, or `segments` if there is none. */
static uint8_t newest(void)
{
    uint8_t best = port.segments;
    uint32_t past = 0;
    uint8_t segment;
    bool ended = false;

    for (segment = 0; segment < port.segments; segment++) {
        const place end = place_at(segment, 1);
        if (valid(&end, 1) && end.octet[0] == ENDED && value_of(&end) >= past) {
            past = value_of(&end);
            ended = true;
        }
    }
    for (segment = 0; segment < port.segments; segment++) {
        const place header = place_at(segment, 0);
        if (valid(&header, 0) && header.octet[0] == HEADER &&
            (ended ? value_of(&header) > past : value_of(&header) >= past)) {
            best = segment;
            past = value_of(&header);
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
    const unsigned places = (unsigned)(port.segment_octets / place_octets());
    unsigned number;
    uint8_t i;
    uint8_t segment;

    any_contents = true;
    for (segment = 0; segment < port.segments; segment++) {
        for (number = 0; number < places; number++) {
            write_place(in, segment, number);
        }
    }
    segment = newest();
    for (number = 2; segment < port.segments && number < places; number++) {
        const place record = place_at(segment, number);
        if (valid(&record, number) && record.octet[0] < SLOTS_MAX) {
            want[record.octet[0]] = value_of(&record);
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

    power_returns();
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
            cut_after(fuzz_u8(in) & 0x3Fu);
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
            if ((what & 0x40u) != 0) { /* once more, while it is opened */
                power_returns();
                cut_after(what >> 7);
                (void)wm_counter_store_open(&w.store, &port, &medium, w.limit, w.slots, w.block);
            }
            reopen(&w);
        }
    }
}

/* Bits of `choice`: 1, 2 slots; 3 places; 4 segments; 5, 6 the unit; 7 octets beyond the last place.
 * Returns the number of slots: one record less than a segment has room for at most. */
static uint8_t choose_geometry(uint8_t choice)
{
    static const uint8_t units[] = {2, 4, 8, 2};
    const bool three = (choice & 0x10u) != 0;
    const uint8_t unit = units[choice >> 5 & 3u];
    const unsigned places = ((choice & 0x08u) != 0 ? 8u : 7u) - (three && unit == 8 ? 2u : 0u);
    const unsigned slots = 1u + (choice >> 1 & 3u);

    port = (wm_counter_port){.unit = unit,
                             .segments = three ? 3 : 2,
                             .read = medium_read,
                             .program = medium_program,
                             .erase = medium_erase};
    port.segment_octets = (uint16_t)(places * place_octets());
    if ((choice & 0x80u) != 0 &&
        port.segments * (port.segment_octets + unit) <= COUNTER_DOUBLE_OCTETS) {
        port.segment_octets = (uint16_t)(port.segment_octets + unit);
    }
    return (uint8_t)(slots < places - 2u ? slots : places - 3u);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input in = {data, size};
    const uint8_t choice = fuzz_u8(&in);
    const uint8_t slots = choose_geometry(choice);

    memset(&medium, 0, sizeof medium);
    memset(programmed, 0, sizeof programmed);
    medium.seed = fuzz_u32(&in);
    medium.segment_octets = port.segment_octets;
    medium.unit = port.unit;
    any_contents = false;
    if ((choice & 1u) != 0) {
        return judge_any(&in, slots);
    }
    judge_work(&in, slots);
    return FUZZ_TAKEN;
}
