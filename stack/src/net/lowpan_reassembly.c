/* SPDX-License-Identifier: BSD-3-Clause */
/* Fragments put together.
 *
 * References: RFC 4944 5.3. A packet is known by the addresses of its frames, its size and its tag.
 * A bit for each unit of 8 octets says what is there, another one where fragments began: so a
 * fragment that comes twice is told from one that overlaps. One that comes twice has the same octets:
 * else a sender that lost count of its tags, by a reset, would have two packets made one.
 * Invariant: a slot whose `total` is 0 is free; the first fragment is expanded into its slot. */
#include <wardmote/lowpan_fragments.h>
#include <wardmote/octets.h>
#include "../util/move.h"
#include "lowpan_parts.h"

#define FRAG1_BITS 0x18u /* the first 5 bits of a fragment header */
#define FRAGN_BITS 0x1Cu
#define SIZE_MASK 0x07FFu
#define UNIT 8u
#define NOWHERE 0xFFFFu /* behind every packet */
#define GROWTH 64u /* compressed headers behind the first grow by less; fragments have as many */

WM_STATIC_ASSERT(WM_LOWPAN_UNITS * 8u * UNIT == WM_LOWPAN_DATAGRAM_MAX, "a bit for each unit");

typedef struct fragment {
    const wm_lowpan_link *link;
    const uint8_t *payload;
    uint16_t len; /* of the payload */
    uint16_t total, tag;
    uint16_t offset; /* of the packet; 0: the first fragment */
} fragment;

static bool bit(const uint8_t *map, uint16_t i)
{
    return (map[i >> 3] & 1u << (i & 7u)) != 0;
}

static void set(uint8_t *map, uint16_t i)
{
    map[i >> 3] = (uint8_t)(map[i >> 3] | 1u << (i & 7u));
}

static uint16_t units(uint16_t octets)
{
    return (uint16_t)((octets + UNIT - 1u) / UNIT);
}

static bool same_octets(const uint8_t *a, const uint8_t *b, uint16_t len)
{
    while (len != 0 && *a == *b) {
        a++;
        b++;
        len--;
    }
    return len == 0;
}

static bool same_addr(const wm_lowpan_addr *a, const wm_lowpan_addr *b)
{
    return a->len == b->len &&
           same_octets(a->octet, b->octet, a->len < sizeof a->octet ? a->len : sizeof a->octet);
}

static wm_status parse(const uint8_t *in, uint16_t len, fragment *f)
{
    const uint8_t kind = len == 0 ? 0 : in[0] >> 3;
    const uint16_t header = kind == FRAG1_BITS ? WM_LOWPAN_FRAG1_LEN : WM_LOWPAN_FRAGN_LEN;

    if (len != 0 && kind != FRAG1_BITS && kind != FRAGN_BITS) {
        return WM_ERR_NOT_FOR_US;
    }
    if (len <= header) {
        return WM_ERR_MALFORMED;
    }
    f->payload = in + header;
    f->len = (uint16_t)(len - header);
    f->total = wm_load_be16(in) & SIZE_MASK;
    f->tag = wm_load_be16(in + 2);
    f->offset = 0;
    if (kind == FRAGN_BITS) {
        f->offset = (uint16_t)(in[4] * UNIT);
        /* the last one may end anywhere */
        if (f->offset == 0 || f->offset >= f->total || f->len > f->total - f->offset ||
            (f->len % UNIT != 0 && f->len != f->total - f->offset)) {
            return WM_ERR_MALFORMED;
        }
    }
    return f->total == 0 ? WM_ERR_MALFORMED : WM_OK;
}

/* The packet that a slot holds, if it holds one, is over before it is whole. */
static void drop(const wm_lowpan_reassembly *reassembly, wm_lowpan_slot *slot)
{
    if (slot->total != 0 && reassembly->dropped != NULL) {
        reassembly->dropped(reassembly->context, slot);
    }
    slot->total = 0;
}

void wm_lowpan_expire(const wm_lowpan_reassembly *reassembly, uint32_t now)
{
    uint8_t i;

    for (i = 0; i < reassembly->count; i++) {
        wm_lowpan_slot *slot = &reassembly->slots[i];
        if ((uint32_t)(now - slot->since) >= reassembly->timeout) {
            drop(reassembly, slot);
        }
    }
}

/* The slot of a packet: NULL if it has none. */
static wm_lowpan_slot *find(const wm_lowpan_reassembly *reassembly, const fragment *f)
{
    wm_lowpan_slot *found = NULL;
    uint8_t i;

    for (i = 0; i < reassembly->count; i++) {
        wm_lowpan_slot *slot = &reassembly->slots[i];
        if (slot->total == f->total && slot->tag == f->tag &&
            same_addr(&slot->link.src, &f->link->src) &&
            same_addr(&slot->link.dst, &f->link->dst)) {
            found = slot;
        }
    }
    return found;
}

/* A slot for a packet that begins: a free one, or the oldest of a sender that has enough. */
static wm_lowpan_slot *take_slot(const wm_lowpan_reassembly *reassembly, const fragment *f,
                                 uint32_t now)
{
    wm_lowpan_slot *vacant = NULL;
    wm_lowpan_slot *oldest = NULL;
    uint8_t own = 0;
    uint8_t i;

    for (i = 0; i < reassembly->count; i++) {
        wm_lowpan_slot *slot = &reassembly->slots[i];
        if (slot->total == 0) {
            vacant = slot;
        } else if (same_addr(&slot->link.src, &f->link->src)) {
            own++;
            if (oldest == NULL || (uint32_t)(now - slot->since) > (uint32_t)(now - oldest->since)) {
                oldest = slot;
            }
        }
    }
    return own >= reassembly->per_sender ? oldest : vacant;
}

static void begin(const wm_lowpan_reassembly *reassembly, wm_lowpan_slot *slot, const fragment *f,
                  uint32_t now)
{
    uint8_t i;

    drop(reassembly, slot);
    slot->link = *f->link;
    slot->expanded = (wm_lowpan_expanded){0, 0, 0, 0};
    slot->since = now;
    slot->total = f->total;
    slot->tag = f->tag;
    slot->first = slot->changed = slot->kept.first = 0;
    slot->kept.from = NOWHERE;
    slot->left = (uint8_t)units(f->total);
    for (i = 0; i < WM_LOWPAN_UNITS; i++) {
        slot->there[i] = slot->begin[i] = 0;
    }
}

/* Is any of these units there? */
static bool overlaps(const wm_lowpan_slot *slot, uint16_t from, uint16_t end)
{
    for (; from < end; from++) {
        if (bit(slot->there, from)) {
            return true;
        }
    }
    return false;
}

/* Is it the fragment that is there: the same begin and the same end? */
static bool is_there(const wm_lowpan_slot *slot, uint16_t from, uint16_t end)
{
    uint16_t i;

    if (!bit(slot->begin, from)) {
        return false;
    }
    for (i = from; i < end; i++) {
        if (!bit(slot->there, i) || (i != from && bit(slot->begin, i))) {
            return false;
        }
    }
    return end == units(slot->total) || !bit(slot->there, end) || bit(slot->begin, end);
}

/* A number of the first fragment as it came, of which compression leaves not all octets: 16 bits that
 * most other octets do not have. */
static uint16_t digest(const fragment *f)
{
    uint16_t sum = f->len;
    uint16_t i;

    for (i = 0; i < f->len; i++) {
        sum = (uint16_t)((unsigned)(uint16_t)(sum << 1 | sum >> 15) + f->payload[i]);
    }
    return sum;
}

static void mark(wm_lowpan_slot *slot, uint16_t from, uint16_t end)
{
    set(slot->begin, from);
    slot->left = (uint8_t)(slot->left - (end - from));
    for (; from < end; from++) {
        set(slot->there, from);
    }
}

/* Keeps a packet for another node as it comes. Fragments that came before its first one would lie where
 * that one does, so then it is expanded. */
static bool keep(const wm_lowpan_reassembly *reassembly, wm_lowpan_slot *slot, const fragment *f)
{
    if (reassembly->pass == NULL || slot->kept.from != NOWHERE) {
        return false;
    }
    slot->kept.first = reassembly->pass(reassembly->context, f->link, f->payload, f->len, slot);
    return slot->kept.first != 0;
}

static wm_status take_first(const wm_lowpan_reassembly *reassembly, const wm_lowpan *net,
                            wm_lowpan_slot *slot, const fragment *f)
{
    wm_status status;

    if (slot->first != 0) { /* twice, or another one */
        return slot->first == f->len && slot->digest == digest(f) ? WM_OK : WM_ERR_MALFORMED;
    }
    if (keep(reassembly, slot, f)) {
        slot->first = f->len;
        slot->digest = digest(f);
        return WM_OK;
    }
    status = wm_lowpan_expand(net, f->link, f->payload, f->len, f->total, slot->packet, f->total,
                              &slot->expanded);
    if (status != WM_OK) {
        return status;
    }
    if ((slot->expanded.len % UNIT != 0 && slot->expanded.len != f->total) ||
        overlaps(slot, 0, units(slot->expanded.len))) {
        return WM_ERR_MALFORMED;
    }
    slot->first = f->len;
    slot->digest = digest(f);
    mark(slot, 0, units(slot->expanded.len));
    return WM_OK;
}

static wm_status take_other(wm_lowpan_slot *slot, const fragment *f)
{
    const uint16_t from = f->offset / UNIT;
    const uint16_t end = units((uint16_t)(f->offset + f->len));

    if (overlaps(slot, from, end)) {
        return is_there(slot, from, end) &&
                       (f->offset < slot->changed ||
                        same_octets(slot->packet + f->offset, f->payload, f->len))
                   ? WM_OK
                   : WM_ERR_MALFORMED;
    }
    if (f->offset < slot->kept.first) {
        return WM_ERR_MALFORMED;
    }
    if (f->offset < slot->kept.from) {
        slot->kept.from = f->offset;
    }
    wm_move(slot->packet + f->offset, f->payload, f->len);
    mark(slot, from, end);
    return WM_OK;
}

/* Where the first fragment of a packet that is kept ends is not known: what is missing of it then is
 * all that stands in front of the others. If these begin far behind its octets, one is still to come. */
static bool is_whole(const wm_lowpan_slot *slot)
{
    if (slot->kept.first == 0) {
        return slot->left == 0;
    }
    return slot->left == slot->kept.from / UNIT && slot->kept.from < slot->kept.least + GROWTH;
}

static bool usable(const wm_lowpan_reassembly *reassembly)
{
    return reassembly->slots != NULL && reassembly->count >= 2 && reassembly->per_sender != 0 &&
           reassembly->per_sender < reassembly->count && reassembly->size <= WM_LOWPAN_DATAGRAM_MAX;
}

wm_status wm_lowpan_reassemble(wm_lowpan_reassembly *reassembly, const wm_lowpan *net,
                               const wm_lowpan_link *link, const uint8_t *in, uint16_t len,
                               uint32_t now, const uint8_t **packet, uint16_t *packet_len)
{
    fragment f = {.link = link};
    wm_lowpan_slot *slot;
    wm_status status;

    *packet = NULL;
    *packet_len = 0;
    if (!usable(reassembly) || !wm_lowpan_usable(net)) {
        return WM_ERR_PARAM;
    }
    status = parse(in, len, &f);
    if (status != WM_OK) {
        return status;
    }
    if (f.total > reassembly->size) {
        return WM_ERR_FRAME_TOO_LONG;
    }
    wm_lowpan_expire(reassembly, now);
    slot = find(reassembly, &f);
    if (slot == NULL) {
        slot = take_slot(reassembly, &f, now);
        if (slot == NULL) {
            return WM_ERR_STATE;
        }
        begin(reassembly, slot, &f, now);
    }
    status = f.offset == 0 ? take_first(reassembly, net, slot, &f) : take_other(slot, &f);
    if (status != WM_OK) {
        drop(reassembly, slot);
        return status;
    }
    if (is_whole(slot)) {
        wm_lowpan_finish(slot->packet, &slot->expanded);
        *packet = slot->packet;
        *packet_len = slot->total;
        slot->total = 0;
    }
    return WM_OK;
}

uint16_t wm_lowpan_have(const wm_lowpan_slot *slot)
{
    uint16_t octets = 0;
    uint8_t i = 0, more;

    if (slot->total == 0 || slot->first == 0 || slot->expanded.udp != 0) {
        return 0;
    }
    for (; i < WM_LOWPAN_UNITS && slot->there[i] == 0xFF; i++) {
        octets = (uint16_t)(octets + 8u * UNIT);
    }
    for (more = i < WM_LOWPAN_UNITS ? slot->there[i] : 0; (more & 1u) != 0; more >>= 1) {
        octets = (uint16_t)(octets + UNIT);
    }
    return octets < slot->total ? octets : slot->total;
}
