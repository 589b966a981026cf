/* SPDX-License-Identifier: BSD-3-Clause */
#include "counter_place.h"
#include <stddef.h>
#include <wardmote/octets.h>

#define RECORD_OCTETS 8
#define MARK_AT 6
#define UNIT_LEAST 2
#define UNIT_MOST 8
#define PLACES_LEAST 4
#define ERASED 0xFFu

static uint8_t place_octets(const wm_counter_port *port)
{
    return (uint8_t)(port->unit == UNIT_LEAST ? RECORD_OCTETS : RECORD_OCTETS + port->unit);
}

static uint16_t offset_of(const wm_counter_port *port, uint16_t place)
{
    uint16_t records = (uint16_t)(place * (unsigned)RECORD_OCTETS);
    if (port->unit == UNIT_LEAST) {
        return records;
    }
    return (uint16_t)(records + (port->unit == UNIT_MOST ? records : records / 2));
}

bool wm_counter_usable(const wm_counter_port *port)
{
    return port->segments > 1 &&
           (port->unit == UNIT_LEAST || port->unit == 4 || port->unit == UNIT_MOST) &&
           (port->segment_octets & (port->unit - 1u)) == 0 &&
           port->segment_octets >= offset_of(port, PLACES_LEAST);
}

uint16_t wm_counter_places(const wm_counter_port *port)
{
    uint16_t places = 0, left = port->segment_octets;
    for (uint8_t each = place_octets(port); left >= each; left = (uint16_t)(left - each)) {
        places++; /* a division would need the compiler's library */
    }
    return (uint16_t)(places - WM_COUNTER_FIRST_RECORD);
}

static bool all_ones(const uint8_t *octets, uint8_t len)
{
    uint8_t all = ERASED;
    for (uint8_t n = 0; n < len; n++) {
        all &= octets[n];
    }
    return all == ERASED;
}

static bool same(const uint8_t *a, const uint8_t *b, uint8_t len)
{
    while (len != 0 && *a == *b) {
        a++;
        b++;
        len--;
    }
    return len == 0;
}

/* Number of zero bits of kind and value. */
static uint8_t zeros_of(const uint8_t octets[RECORD_OCTETS])
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
static uint16_t mark_of(const uint8_t octets[RECORD_OCTETS])
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

static void read(const wm_counter_media *on, uint8_t segment, uint16_t offset, uint8_t *to,
                 uint8_t len)
{
    if (on->port->read(on->medium, segment, offset, to, len) != WM_OK) {
        while (len-- != 0) {
            to[len] = 0;
        }
    }
}

/* Of a place that is nothing but a record, in units of 2. An interrupted mark has ones too many,
 * never one too few. */
static wm_counter_finding judge_small(const uint8_t octets[RECORD_OCTETS], bool agrees)
{
    uint16_t mark = wm_load_le16(octets + MARK_AT), right = mark_of(octets);
    if (all_ones(octets, RECORD_OCTETS)) {
        return WM_COUNTER_BLANK;
    }
    if (!agrees) {
        return mark == 0xFFFFu ? WM_COUNTER_TORN : WM_COUNTER_DAMAGED;
    }
    return (mark & right) == right ? WM_COUNTER_VALID : WM_COUNTER_DAMAGED;
}

/* Of a record that a unit of its own completes. */
static wm_counter_finding judge_large(const uint8_t octets[RECORD_OCTETS], bool agrees,
                                      const uint8_t *last, uint8_t unit, bool exact)
{
    if (all_ones(last, unit)) {
        return all_ones(octets, RECORD_OCTETS) ? WM_COUNTER_BLANK : WM_COUNTER_TORN;
    }
    if (!agrees || wm_load_le16(octets + MARK_AT) != mark_of(octets)) {
        return WM_COUNTER_DAMAGED;
    }
    return !exact || same(last, octets, unit) ? WM_COUNTER_VALID : WM_COUNTER_TORN;
}

wm_counter_finding wm_counter_find(const wm_counter_media *on, uint8_t segment, uint16_t place,
                                   wm_counter_record *to)
{
    uint8_t octets[RECORD_OCTETS], last[UNIT_MOST], unit = on->port->unit;
    uint16_t offset = offset_of(on->port, place);
    read(on, segment, offset, octets, RECORD_OCTETS);
    to->kind = octets[0];
    to->value = wm_load_le32(octets + 2);
    bool agrees = octets[1] == zeros_of(octets);
    if (unit == UNIT_LEAST) {
        return judge_small(octets, agrees);
    }
    read(on, segment, (uint16_t)(offset + RECORD_OCTETS), last, unit);
    return judge_large(octets, agrees, last, unit, place < WM_COUNTER_FIRST_RECORD);
}

/* Programs and reads back. */
static wm_status program(const wm_counter_media *on, uint8_t segment, uint16_t offset,
                         const uint8_t *from, uint8_t len)
{
    uint8_t back[RECORD_OCTETS];
    if (on->port->program(on->medium, segment, offset, from, len) != WM_OK ||
        on->port->read(on->medium, segment, offset, back, len) != WM_OK || !same(back, from, len)) {
        return WM_ERR_STORAGE;
    }
    return WM_OK;
}

wm_status wm_counter_write(const wm_counter_media *on, uint8_t segment, uint16_t place,
                           uint8_t kind, uint32_t value)
{
    uint8_t octets[RECORD_OCTETS], unit = on->port->unit, first = RECORD_OCTETS;
    const uint8_t *last = octets;
    uint16_t offset = offset_of(on->port, place);
    octets[0] = kind;
    wm_store_le32(octets + 2, value);
    octets[1] = zeros_of(octets);
    wm_store_le16(octets + MARK_AT, mark_of(octets));
    if (unit == UNIT_LEAST) {
        first = MARK_AT;
        last += MARK_AT;
    }
    wm_status status = program(on, segment, offset, octets, first);
    return status == WM_OK ? program(on, segment, (uint16_t)(offset + first), last, unit) : status;
}

/* Only the kind becomes 0. In units of 2 any of its bits may be left as it was, when power fails or
 * while the segment is erased. If the number of zeros behind it changed too, some of those pairs
 * would be a whole record. So it stays all ones, which no record has. */
wm_status wm_counter_retire(const wm_counter_media *on, uint8_t segment, uint16_t place)
{
    static const uint8_t gone[UNIT_MOST] = {0,      ERASED, ERASED, ERASED,
                                            ERASED, ERASED, ERASED, ERASED};
    return program(on, segment, offset_of(on->port, place), gone, on->port->unit);
}

wm_status wm_counter_erase(const wm_counter_media *on, uint8_t segment)
{
    bool blank = on->port->erase(on->medium, segment) == WM_OK;
    uint16_t end = (uint16_t)(wm_counter_places(on->port) + WM_COUNTER_FIRST_RECORD);
    for (uint16_t place = 0; place < end && blank; place++) {
        wm_counter_record ignored;
        blank = wm_counter_find(on, segment, place, &ignored) == WM_COUNTER_BLANK;
    }
    return blank ? WM_OK : WM_ERR_STORAGE;
}
