/* SPDX-License-Identifier: BSD-3-Clause */
/* Places of a segment, and the records in them.
 *
 * A segment is a row of places:
 *   place 0   header: a record of kind WM_COUNTER_HEADER whose value is the segment's generation
 *   place 1   all ones; its first octet is 0 from when the next generation holds everything. A
 *             record of kind WM_COUNTER_ENDED: every generation up to its value has ended; then the
 *             first octet of place 0 is 0 from when there is another generation
 *   place 2.. records, in order of time; the last valid one of a slot counts
 *
 *   record    kind 1 (slot, or one of the above) | zeros 1 | value 4 | mark 2; integers have their
 *             least significant octet first
 *   zeros     number of bits of kind and value that are 0
 *   mark      CRC-16, without its top bit, of the six octets before it
 *
 * Where the unit is 2, a place is a record, and its mark is programmed when the octets before it
 * have been read back. Where it is 4 or 8, the record is programmed at once; one unit more follows,
 * which repeats the record's first octets. It is programmed when the record has been read back.
 *
 * Why `zeros`. If power fails while units of 2 are programmed, it leaves ones that should be zeros;
 * while they are erased, ones that should still be zeros. Either way bits change in one direction
 * only: the true number of zeros falls and the stored one can only rise. So they agree only if
 * nothing differs (Berger's code). A record that is half written or half erased is therefore never
 * taken for a record. This is certain, not merely likely as with a checksum.
 *
 * Why a unit of its own, where a unit of 4 or 8 may read as anything after a cut. As long as the
 * last unit is all ones, the record was not complete, whatever it reads as: this is certain, too.
 * Nothing says so of a segment whose erasure was cut. So a header, or the end of a generation,
 * counts only if all its 12 or 16 octets are right, which anything at all is not.
 *
 * What follows from both. A record that is invalid and without its last unit was interrupted.
 * Nothing has used its limit, so it is skipped. An invalid record with its last unit was complete
 * once: the medium lost it, and falling back to the record before it would grant used counters
 * again. That is an error. */
#ifndef WARDMOTE_COUNTER_PLACE_H
#define WARDMOTE_COUNTER_PLACE_H

#include <stdbool.h>
#include <stdint.h>
#include <wardmote/port/counter_port.h>

#define WM_COUNTER_HEADER_PLACE 0
#define WM_COUNTER_RETIRED_PLACE 1
#define WM_COUNTER_FIRST_RECORD 2
#define WM_COUNTER_HEADER 0xA5u
#define WM_COUNTER_ENDED 0x5Au

/* A medium: what the functions below need before there is a store. */
typedef struct wm_counter_media {
    const wm_counter_port *port;
    void *medium;
} wm_counter_media;

/* What a place holds. */
typedef enum wm_counter_finding {
    WM_COUNTER_BLANK, /* all ones */
    WM_COUNTER_VALID,
    WM_COUNTER_TORN,   /* interrupted before it was complete */
    WM_COUNTER_DAMAGED /* was complete, and is not any more */
} wm_counter_finding;

typedef struct wm_counter_record {
    uint32_t value;
    uint8_t kind;
} wm_counter_record;

/* Can a store use such a medium? */
bool wm_counter_usable(const wm_counter_port *port);

/* Number of records that a segment has room for. */
uint16_t wm_counter_places(const wm_counter_port *port);

/* What cannot be read counts as octets that are 0. */
wm_counter_finding wm_counter_find(const wm_counter_media *on, uint8_t segment, uint16_t place,
                                   wm_counter_record *to);

/* Writes a record and reads it back. */
wm_status wm_counter_write(const wm_counter_media *on, uint8_t segment, uint16_t place,
                           uint8_t kind, uint32_t value);

/* Programs the first unit of a blank place so that its first octet is 0. */
wm_status wm_counter_retire(const wm_counter_media *on, uint8_t segment, uint16_t place);

/* Erases, and reads back. */
wm_status wm_counter_erase(const wm_counter_media *on, uint8_t segment);

#endif
