/* SPDX-License-Identifier: BSD-3-Clause */
/* Frame counters in a log of limits.
 *
 * A segment is a row of places of 8 octets:
 *   place 0   header: a record of kind KIND_HEADER whose value is the segment's generation
 *   place 1   all ones; its first unit is 0 from when the next generation holds everything. A record
 *             of kind KIND_FORMAT: the whole medium is being erased
 *   place 2.. records, in order of time; the last valid one of a slot counts
 *
 *   record    kind 1 (slot, or KIND_HEADER) | zeros 1 | value 4 | mark 2; integers have their least
 *             significant octet first
 *   zeros     number of bits of kind and value that are 0
 *   mark      CRC-16, without its top bit, of the six octets before it; it is programmed when they
 *             have been read back
 *
 * Why `zeros`. If power fails while octets are programmed, it leaves ones that should be zeros;
 * while they are erased, ones that should still be zeros. Either way bits change in one direction
 * only: the true number of zeros falls and the stored one can only rise. So they agree only if
 * nothing differs (Berger's code). A record that is half written or half erased is therefore never
 * taken for a record. This is certain, not merely likely as with a checksum.
 *
 * Why `mark`. A record that is invalid and has no mark was interrupted. Nothing has used its limit,
 * so it is skipped. An invalid record with a mark was complete once: the medium lost it, and
 * falling back to the record before it would grant used counters again. That is an error. It is
 * also an error if a generation is missing although its predecessor says that it existed.
 */
#include <stddef.h>
#include <wardmote/counter_store.h>
#include <wardmote/octets.h>

#define PLACE_OCTETS 8
#define MARK_AT 6
#define MARK_OCTETS 2
#define HEADER_PLACE 0
#define RETIRED_PLACE 1
#define FIRST_RECORD 2
#define KIND_HEADER 0xA5u
#define KIND_FORMAT 0x5Au
#define ERASED 0xFFu
#define SEGMENT_OCTETS_MIN 32u
#define SEGMENTS_MIN 2
#define BLOCK_MAX 0x80000000u
#define EXHAUSTED 0xFFFFFFFFu

/* A medium and how much it holds: what the functions below need before there is a store. */
typedef struct media {
    const wm_counter_port *port;
    void *medium;
} media;

/* What a place holds. */
typedef enum finding {
    BLANK, /* all ones */
    VALID,
    TORN,   /* interrupted before it was complete */
    DAMAGED /* was complete, and is not any more */
} finding;

typedef struct record {
    uint32_t value;
    uint8_t kind;
} record;

static uint16_t offset_of(uint16_t place)
{
    return (uint16_t)(place * PLACE_OCTETS);
}

static wm_status read(const media *on, uint8_t segment, uint16_t offset, uint8_t *to, uint16_t len)
{
    return on->port->read(on->medium, segment, offset, to, len) == WM_OK ? WM_OK : WM_ERR_STORAGE;
}

static bool all_ones(const uint8_t *octets, uint8_t len)
{
    uint8_t all = ERASED;
    for (uint8_t n = 0; n < len; n++) {
        all &= octets[n];
    }
    return all == ERASED;
}

/* Number of zero bits of kind and value. */
static uint8_t zeros_of(const uint8_t octets[PLACE_OCTETS])
{
    uint8_t zeros = 0;
    for (uint8_t n = 0; n < MARK_AT; n++) {
        for (uint8_t bits = n == 1 ? 0 : (uint8_t)~octets[n]; bits != 0;
             bits &= (uint8_t)(bits - 1)) {
            zeros++;
        }
    }
    return zeros;
}

/* CRC-16 with polynomial x^16 + x^12 + x^5 + 1 from all ones, its top bit 0: a mark is never all
 * ones. */
static uint16_t mark_of(const uint8_t octets[PLACE_OCTETS])
{
    uint16_t crc = 0xFFFF;
    for (uint8_t n = 0; n < MARK_AT; n++) {
        crc ^= (uint16_t)((unsigned)octets[n] << 8);
        for (uint8_t bit = 0; bit < 8; bit++) {
            crc = (uint16_t)((crc & 0x8000u) != 0 ? crc << 1 ^ 0x1021 : crc << 1);
        }
    }
    return crc & 0x7FFFu;
}

static void encode(const record *from, uint8_t octets[PLACE_OCTETS])
{
    octets[0] = from->kind;
    wm_store_le32(octets + 2, from->value);
    octets[1] = zeros_of(octets);
    wm_store_le16(octets + MARK_AT, mark_of(octets));
}

static finding decode(const uint8_t octets[PLACE_OCTETS], record *to)
{
    uint16_t mark = wm_load_le16(octets + MARK_AT), right = mark_of(octets);
    if (all_ones(octets, PLACE_OCTETS)) {
        return BLANK;
    }
    to->kind = octets[0];
    to->value = wm_load_le32(octets + 2);
    if (octets[1] != zeros_of(octets)) {
        return mark == 0xFFFFu ? TORN : DAMAGED;
    }
    /* An interrupted mark has ones too many, never one too few. */
    return (mark & right) == right ? VALID : DAMAGED;
}

static wm_status find(const media *on, uint8_t segment, uint16_t place, record *to, finding *what)
{
    uint8_t octets[PLACE_OCTETS];
    wm_status status = read(on, segment, offset_of(place), octets, PLACE_OCTETS);
    *what = status == WM_OK ? decode(octets, to) : DAMAGED;
    return status;
}

/* Programs and reads back. */
static wm_status program(const media *on, uint8_t segment, uint16_t offset, const uint8_t *from,
                         uint8_t len)
{
    uint8_t back[PLACE_OCTETS];
    if (on->port->program(on->medium, segment, offset, from, len) != WM_OK ||
        on->port->read(on->medium, segment, offset, back, len) != WM_OK) {
        return WM_ERR_STORAGE;
    }
    for (uint8_t n = 0; n < len; n++) {
        if (back[n] != from[n]) {
            return WM_ERR_STORAGE;
        }
    }
    return WM_OK;
}

static wm_status write_record(const media *on, uint8_t segment, uint16_t place, uint8_t kind,
                              uint32_t value)
{
    uint8_t octets[PLACE_OCTETS];
    record from = {value, kind};
    uint16_t offset = offset_of(place);
    encode(&from, octets);
    wm_status status = program(on, segment, offset, octets, MARK_AT);
    if (status != WM_OK) {
        return status;
    }
    return program(on, segment, (uint16_t)(offset + MARK_AT), octets + MARK_AT, MARK_OCTETS);
}

static bool is_blank(const media *on, uint8_t segment)
{
    bool blank = true;
    for (uint16_t place = 0; place < on->port->segment_octets / PLACE_OCTETS && blank; place++) {
        record ignored;
        finding what;
        blank = find(on, segment, place, &ignored, &what) == WM_OK && what == BLANK;
    }
    return blank;
}

static wm_status erase(const media *on, uint8_t segment)
{
    return on->port->erase(on->medium, segment) == WM_OK && is_blank(on, segment) ? WM_OK
                                                                                  : WM_ERR_STORAGE;
}

static wm_status is_retired(const media *on, uint8_t segment, bool *retired)
{
    uint8_t octets[PLACE_OCTETS];
    wm_status status = read(on, segment, offset_of(RETIRED_PLACE), octets, PLACE_OCTETS);
    *retired = status != WM_OK || !all_ones(octets, PLACE_OCTETS);
    return status;
}

static wm_status retire(const media *on, uint8_t segment)
{
    static const uint8_t gone[WM_COUNTER_UNIT] = {0, 0};
    return program(on, segment, offset_of(RETIRED_PLACE), gone, WM_COUNTER_UNIT);
}

/* WM_ERR_STATE of a medium on which no record and no header was ever complete, else
 * WM_ERR_STORAGE. */
static wm_status why_empty(const media *on)
{
    for (uint8_t segment = 0; segment < on->port->segments; segment++) {
        for (uint16_t place = 0; place < on->port->segment_octets / PLACE_OCTETS; place++) {
            record ignored;
            finding what;
            wm_status status = find(on, segment, place, &ignored, &what);
            if (status != WM_OK || (place != RETIRED_PLACE && (what == VALID || what == DAMAGED))) {
                return WM_ERR_STORAGE;
            }
        }
    }
    return WM_ERR_STATE;
}

/* The segment that says that the whole medium is being erased, so that nothing that is left counts;
 * `segments` if none does. */
static wm_status find_format(const media *on, uint8_t *segment)
{
    for (*segment = 0; *segment < on->port->segments; ++*segment) {
        record mark;
        finding what;
        wm_status status = find(on, *segment, RETIRED_PLACE, &mark, &what);
        if (status != WM_OK || (what == VALID && mark.kind == KIND_FORMAT)) {
            return status;
        }
    }
    return WM_OK;
}

/* Finds the newest generation. It must have retired all others; one that it has not yet retired is
 * retired now. */
static wm_status find_active(const media *on, uint8_t *active, uint32_t *generation)
{
    bool found = false, retired = false;
    uint8_t formatted;
    wm_status status = find_format(on, &formatted);
    if (status != WM_OK || formatted != on->port->segments) {
        return status != WM_OK ? status : WM_ERR_STATE;
    }
    for (uint8_t segment = 0; segment < on->port->segments; segment++) {
        record header;
        finding what;
        status = find(on, segment, HEADER_PLACE, &header, &what);
        if (status != WM_OK) {
            return status;
        }
        if (what != VALID || header.kind != KIND_HEADER || (found && header.value < *generation)) {
            continue;
        }
        found = true;
        *active = segment;
        *generation = header.value;
    }
    if (!found) {
        return why_empty(on);
    }
    status = is_retired(on, *active, &retired);
    return status == WM_OK && retired ? WM_ERR_STORAGE : status;
}

static wm_status retire_others(const media *on, uint8_t active)
{
    for (uint8_t segment = 0; segment < on->port->segments; segment++) {
        record header;
        finding what;
        bool retired = true;
        wm_status status = find(on, segment, HEADER_PLACE, &header, &what);
        if (status == WM_OK && segment != active && what == VALID) {
            status = is_retired(on, segment, &retired);
        }
        if (status == WM_OK && !retired) {
            status = retire(on, segment);
        }
        if (status != WM_OK) {
            return status;
        }
    }
    return WM_OK;
}

/* Takes one record into the limits: a limit rises, or begins at 0 again. */
static wm_status take(wm_counter_store *store, const record *from)
{
    if (from->kind >= store->slots) {
        return from->kind < WM_COUNTER_SLOTS_MAX ? WM_ERR_PARAM : WM_ERR_STORAGE;
    }
    if (from->value != 0 && from->value < store->limit[from->kind]) {
        return WM_ERR_STORAGE;
    }
    store->limit[from->kind] = from->value;
    return WM_OK;
}

/* All records of the active segment; `next` becomes the place after the last that is not blank. */
static wm_status take_all(wm_counter_store *store, const media *on)
{
    store->next = 0;
    for (uint16_t place = 0; place < store->places; place++) {
        record from;
        finding what;
        wm_status status = find(on, store->active, (uint16_t)(FIRST_RECORD + place), &from, &what);
        if (status == WM_OK && what == VALID) {
            status = take(store, &from);
        }
        if (status != WM_OK || what == DAMAGED) {
            return status == WM_OK ? WM_ERR_STORAGE : status;
        }
        if (what != BLANK) {
            store->next = (uint16_t)(place + 1);
        }
    }
    return WM_OK;
}

static bool usable(const wm_counter_port *port)
{
    return port->segments >= SEGMENTS_MIN && port->segment_octets >= SEGMENT_OCTETS_MIN &&
           port->segment_octets % WM_COUNTER_UNIT == 0;
}

static uint16_t places_of(const wm_counter_port *port)
{
    return (uint16_t)(port->segment_octets / PLACE_OCTETS - FIRST_RECORD);
}

/* Makes a segment that the present store does not need say that the medium is being erased. */
static wm_status begin_format(const media *on, uint8_t *first)
{
    uint32_t ignored;
    wm_status status = find_format(on, first);
    if (status != WM_OK || *first != on->port->segments) {
        return status;
    }
    *first = 0;
    if (find_active(on, first, &ignored) == WM_OK) {
        *first = (uint8_t)(*first + 1 == on->port->segments ? 0 : *first + 1);
    }
    status = erase(on, *first);
    return status == WM_OK && why_empty(on) != WM_ERR_STATE
               ? write_record(on, *first, RETIRED_PLACE, KIND_FORMAT, 0)
               : status;
}

/* Power may fail at any moment: until it is said that the medium is being erased the present store
 * holds, from then on there is none. */
wm_status wm_counter_store_format(const wm_counter_port *port, void *medium)
{
    media on = {port, medium};
    uint8_t first;
    if (!usable(port)) {
        return WM_ERR_PARAM;
    }
    wm_status status = begin_format(&on, &first);
    for (uint8_t segment = 0; segment < port->segments && status == WM_OK; segment++) {
        status = segment == first ? WM_OK : erase(&on, segment);
    }
    if (status == WM_OK && !is_blank(&on, first)) {
        status = erase(&on, first);
    }
    return status == WM_OK ? write_record(&on, 0, HEADER_PLACE, KIND_HEADER, 0) : status;
}

static wm_status load(wm_counter_store *store)
{
    media on = {store->port, store->medium};
    wm_status status = find_active(&on, &store->active, &store->generation);
    if (status == WM_OK) {
        status = retire_others(&on, store->active);
    }
    return status == WM_OK ? take_all(store, &on) : status;
}

wm_status wm_counter_store_open(wm_counter_store *store, const wm_counter_port *port, void *medium,
                                uint32_t *limit, uint8_t slots, uint32_t block)
{
    store->slots = 0;
    store->failed = true;
    if (!usable(port) || slots == 0 || slots > WM_COUNTER_SLOTS_MAX || slots >= places_of(port) ||
        block == 0 || block > BLOCK_MAX || (block & (block - 1)) != 0) {
        return WM_ERR_PARAM;
    }
    store->port = port;
    store->medium = medium;
    store->limit = limit;
    store->block = block;
    store->places = places_of(port);
    store->slots = slots;
    for (uint8_t slot = 0; slot < slots; slot++) {
        limit[slot] = 0;
        store->written[slot >> 3] = 0;
    }
    wm_status status = load(store);
    if (status != WM_OK) {
        store->slots = 0;
        return status;
    }
    store->failed = false;
    return WM_OK;
}

uint32_t wm_counter_store_limit(const wm_counter_store *store, uint8_t slot)
{
    return slot < store->slots ? store->limit[slot] : EXHAUSTED;
}

static uint8_t bit_of(uint8_t slot)
{
    return (uint8_t)(1u << (slot & 7u));
}

bool wm_counter_store_continues(const wm_counter_store *store, uint8_t slot, uint32_t next)
{
    const uint32_t limit = wm_counter_store_limit(store, slot);

    if (slot >= store->slots || (store->written[slot >> 3] & bit_of(slot)) == 0) {
        return next >= limit && limit != EXHAUSTED;
    }
    return next >= limit || limit - next < store->block;
}

static uint32_t round_up(const wm_counter_store *store, uint32_t next)
{
    uint32_t below = store->block - 1;
    return next > EXHAUSTED - below ? EXHAUSTED : (next + below) & ~below;
}

uint16_t wm_counter_store_free(const wm_counter_store *store)
{
    return store->slots == 0 || store->failed ? 0 : (uint16_t)(store->places - store->next);
}

/* Writes a record of each limit to the next segment, then its header, and only then retires the
 * present segment. The present segment holds until the header is complete; from then on the new one
 * does. */
static wm_status move(wm_counter_store *store, const media *on, uint8_t to)
{
    uint16_t next = 0;
    wm_status status = erase(on, to);
    for (uint8_t slot = 0; slot < store->slots && status == WM_OK; slot++) {
        if (store->limit[slot] != 0) {
            status =
                write_record(on, to, (uint16_t)(FIRST_RECORD + next), slot, store->limit[slot]);
            next++;
        }
    }
    if (status == WM_OK) {
        status = write_record(on, to, HEADER_PLACE, KIND_HEADER, store->generation + 1);
    }
    if (status == WM_OK) {
        status = retire(on, store->active);
    }
    if (status == WM_OK) {
        store->active = to;
        store->generation++;
        store->next = next;
    }
    return status;
}

wm_status wm_counter_store_compact(wm_counter_store *store)
{
    if (store->failed || store->generation == EXHAUSTED) {
        return WM_ERR_STORAGE;
    }
    media on = {store->port, store->medium};
    uint8_t to = (uint8_t)(store->active + 1 == store->port->segments ? 0 : store->active + 1);
    wm_status status = move(store, &on, to);
    store->failed = status != WM_OK;
    return status;
}

static wm_status put(wm_counter_store *store, uint8_t slot, uint32_t limit)
{
    if (store->failed) {
        return WM_ERR_STORAGE;
    }
    wm_status status = store->next < store->places ? WM_OK : wm_counter_store_compact(store);
    if (status != WM_OK) {
        return status;
    }
    media on = {store->port, store->medium};
    status = write_record(&on, store->active, (uint16_t)(FIRST_RECORD + store->next), slot, limit);
    if (status != WM_OK) {
        store->failed = true;
        return status;
    }
    store->next++;
    store->limit[slot] = limit;
    store->written[slot >> 3] |= bit_of(slot);
    return WM_OK;
}

wm_status wm_counter_store_advance(wm_counter_store *store, uint8_t slot, uint32_t next)
{
    if (slot >= store->slots) {
        return WM_ERR_PARAM;
    }
    if (next == 0) {
        return WM_ERR_COUNTER;
    }
    if (store->port->is_ours != NULL && !store->port->is_ours(store->medium)) {
        return WM_ERR_STORAGE;
    }
    return next <= store->limit[slot] ? WM_OK : put(store, slot, round_up(store, next));
}

wm_status wm_counter_store_clear(wm_counter_store *store, uint8_t slot)
{
    if (slot >= store->slots) {
        return WM_ERR_PARAM;
    }
    return store->limit[slot] == 0 ? WM_OK : put(store, slot, 0);
}
