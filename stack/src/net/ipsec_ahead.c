/* SPDX-License-Identifier: BSD-3-Clause */
/* IPsec of packets whose fragments come in or go out.
 * References: RFC 4301 §5.1, §5.2; RFC 4302 §3.4; RFC 4303 §3.3, §3.4.
 * All checks, headers and numbers are those of ipsec_secure.c and ipsec_unsecure.c: they are called
 * with one SA, a copy whose algorithms end the work on a packet that comes, or begin the one on a packet
 * that goes. Invariants: of a packet that comes, what is decrypted was coded before; of one that goes,
 * what is coded was encrypted before. */
#include <wardmote/ct.h>
#include <wardmote/ipsec_ahead.h>
#include <wardmote/octets.h>
#include "../util/compiler.h"
#include "ipsec_parts.h"

#define PIECE 16u      /* octets of a step: a block */
#define PAYLOAD_LEN 1u /* of AH */

/* One SA in the place of a table, and its algorithms. */
typedef struct stand_in {
    wm_ipsec ipsec;
    wm_ipsec_sa sa;
    wm_ipsec_integrity integrity;
    wm_ipsec_encryption encryption;
} stand_in;

static const wm_ipsec_code *code_of(const wm_ipsec_ahead *ahead, const wm_ipsec_sa *sa)
{
    const wm_ipsec_code *const *code = ahead->codes;
    while (*code != NULL && (*code)->of != sa->integrity) {
        code++;
    }
    return *code;
}

static const wm_ipsec_stream *stream_of(const wm_ipsec_ahead *ahead, const wm_ipsec_sa *sa)
{
    const wm_ipsec_stream *const *stream = ahead->streams;
    while (*stream != NULL && (*stream)->of != sa->encryption) {
        stream++;
    }
    return *stream;
}

static uint16_t lesser(uint16_t one, uint16_t other)
{
    return one < other ? one : other;
}

static void forget(wm_ipsec_ahead *ahead)
{
    ahead->sa = NULL;
    wm_wipe(&ahead->ctr, sizeof ahead->ctr);
    wm_wipe(&ahead->mac, sizeof ahead->mac);
}

void wm_ipsec_ahead_stop(wm_ipsec_ahead *ahead)
{
    if (ahead->sa != NULL) {
        const uint16_t end = ahead->sends ? ahead->end : ahead->there;
        wm_wipe(ahead->packet + ahead->at, (size_t)(end - ahead->at));
        forget(ahead);
    }
}

/* Begins the code of a packet under a SA that has nothing else, and that both tables name. */
static bool begin(wm_ipsec_ahead *ahead, const wm_ipsec *ipsec, wm_ipsec_sa *sa, bool sends)
{
    ahead->code = code_of(ahead, sa);
    ahead->stream = sa->encryption == NULL ? NULL : stream_of(ahead, sa);
    ahead->key = sa->integrity_key;
    ahead->spi = sa->spi;
    ahead->sends = sends;
    ahead->failed = false;
    return sa->integrity != NULL && ahead->code != NULL &&
           (sa->encryption == NULL || ahead->stream != NULL) &&
           wm_ipsec_usable(ipsec, sa, !sends) &&
           ahead->code->begin(&ahead->mac, sa->integrity_key) == WM_OK;
}

/* The SA of the AH or ESP that a packet has, if all of its header is there. */
static wm_ipsec_sa *find_received(const wm_ipsec *ipsec, const wm_ipsec_map *map, uint16_t have,
                                  wm_ipsec_shape *shape)
{
    const uint16_t at = map->upper.at;
    wm_ipsec_sa *sa = ipsec->in;
    for (uint8_t left = ipsec->ins; left != 0 && at < have; left--, sa++) {
        if (sa->protocol == NULL || sa->protocol->number != map->upper.next) {
            continue;
        }
        wm_ipsec_shape_of(sa, 0, shape);
        if (shape->front <= have - at &&
            wm_load_be32(map->packet + at + wm_ipsec_spi_at(map->upper.next)) == sa->spi) {
            return sa;
        }
    }
    return NULL;
}

/* Whether what AH names next can have no ESP behind it. */
static bool no_esp_behind(uint8_t next)
{
    return next != WM_IPV6_ESP && next != WM_IPV6_DESTINATION && next != WM_IPV6_ROUTING;
}

/* Whether the packet can be one of this SA: its length, a sequence number that is new, no ESP in
 * AH. */
static bool fits(wm_ipsec_sa *sa, const wm_ipsec_shape *shape, const wm_ipsec_map *map)
{
    const uint8_t *header = map->packet + map->upper.at;
    const uint16_t octets = (uint16_t)(map->end - map->upper.at);
    if (octets < shape->all ||
        wm_ipsec_window(sa, wm_load_be32(header + wm_ipsec_spi_at(map->upper.next) + 4), false) !=
            WM_OK) {
        return false;
    }
    return shape->mask != 0
               ? ((octets - shape->front - shape->tail) & shape->mask) == 0
               : header[PAYLOAD_LEN] == shape->front / 4u - 2u && no_esp_behind(header[0]);
}

/* The code of AH takes everything up to the payload, with zeros in the place of the ICV. */
static void code_front(wm_ipsec_ahead *ahead, const wm_ipsec_shape *shape)
{
    uint8_t came[WM_IPSEC_ICV_MAX];
    uint8_t *icv = ahead->packet + ahead->at + WM_IPSEC_AH_ICV;
    ahead->coded = (uint16_t)(ahead->at + shape->front);
    const wm_ipsec_text text = {NULL, ahead->packet, ahead->at,
                                (uint16_t)(ahead->at + WM_IPSEC_AH_ICV), ahead->coded};
    for (uint8_t i = 0; i < shape->icv; i++) {
        came[i] = icv[i];
        icv[i] = 0;
    }
    ahead->sa->protocol->give(&text, ahead->code->take, &ahead->mac);
    for (uint8_t i = 0; i < shape->icv; i++) {
        icv[i] = came[i];
    }
}

bool wm_ipsec_ahead_open(wm_ipsec_ahead *ahead, const wm_ipsec *ipsec, uint8_t *packet,
                         uint16_t total, uint16_t have)
{
    wm_ipsec_map map = {.packet = packet, .end = total};
    wm_ipsec_shape shape;
    if (ahead->sa != NULL || !ipsec->started || wm_ipsec_walk(&map) != WM_OK ||
        packet[IPV6_DESTINATION] == 0xFF) {
        return false;
    }
    wm_ipsec_sa *sa = find_received(ipsec, &map, have, &shape);
    if (sa == NULL || !begin(ahead, ipsec, sa, false) || !fits(sa, &shape, &map)) {
        forget(ahead);
        return false;
    }
    ahead->sa = sa;
    ahead->packet = packet;
    ahead->at = ahead->coded = map.upper.at;
    ahead->crypted = (uint16_t)(map.upper.at + shape.front);
    ahead->end = map.end;
    ahead->icv = (uint16_t)(map.end - shape.tail);
    ahead->there = ahead->crypted;
    if (ahead->stream == NULL) {
        code_front(ahead, &shape);
    } else if (ahead->stream->begin(&ahead->ctr, sa, packet + ahead->at, false) != WM_OK) {
        forget(ahead);
        return false;
    }
    wm_ipsec_ahead_come(ahead, have);
    return true;
}

void wm_ipsec_ahead_come(wm_ipsec_ahead *ahead, uint16_t have)
{
    if (have > ahead->there) {
        ahead->there = lesser(have, ahead->end);
    }
}

static void take(wm_ipsec_ahead *ahead, uint16_t octets)
{
    ahead->code->take(&ahead->mac, ahead->packet + ahead->coded, octets);
    ahead->coded = (uint16_t)(ahead->coded + octets);
}

static void crypt(wm_ipsec_ahead *ahead, uint16_t octets)
{
    ahead->failed =
        ahead->stream->crypt(&ahead->ctr, ahead->packet + ahead->crypted, octets) != WM_OK;
    ahead->crypted = (uint16_t)(ahead->crypted + octets);
}

bool wm_ipsec_ahead_work(wm_ipsec_ahead *ahead)
{
    if (ahead->sa == NULL || ahead->failed) {
        return false;
    }
    const uint16_t there = lesser(ahead->there, ahead->icv);
    const uint16_t code_to = ahead->sends ? ahead->crypted : there;
    const uint16_t crypt_to = ahead->sends ? ahead->icv : ahead->coded;
    if (ahead->coded < code_to) {
        take(ahead, lesser(PIECE, (uint16_t)(code_to - ahead->coded)));
        return true;
    }
    if (ahead->stream != NULL && ahead->crypted < crypt_to) {
        crypt(ahead, lesser(PIECE, (uint16_t)(crypt_to - ahead->crypted)));
        return true;
    }
    return false;
}

/* All that is left of a packet that came: nothing else is waited for, so not block by block. */
static void end_work(wm_ipsec_ahead *ahead)
{
    if (!ahead->failed && ahead->coded < ahead->icv) {
        take(ahead, (uint16_t)(ahead->icv - ahead->coded));
    }
    if (!ahead->failed && ahead->stream != NULL && ahead->crypted < ahead->icv) {
        crypt(ahead, (uint16_t)(ahead->icv - ahead->crypted));
    }
}

static bool is_ready(wm_ipsec_integrity_key key)
{
    return key.ahead != NULL;
}

/* The code of a packet that came is as far as it can be. */
static wm_status end_code(wm_ipsec_integrity_key key, const wm_ipsec_text *text, uint8_t *icv)
{
    (void)text;
    return key.ahead->code->end(&key.ahead->mac, icv);
}

/* The ICV of a packet that goes is made later. */
static wm_status leave_code(wm_ipsec_integrity_key key, const wm_ipsec_text *text, uint8_t *icv)
{
    (void)key;
    (void)text;
    (void)icv;
    return WM_OK;
}

/* It is decrypted. */
static wm_status opened(const wm_ipsec_sa *sa, uint8_t *esp, uint16_t octets)
{
    (void)sa;
    (void)esp;
    (void)octets;
    return WM_OK;
}

/* Header, padding and trailer are there, and are encrypted later. */
static wm_status sealed(const wm_ipsec_sa *sa, uint8_t *esp, uint16_t octets)
{
    wm_ipsec_ahead *ahead = sa->integrity_key.ahead;
    wm_ipsec_shape shape;
    wm_ipsec_shape_of(sa, 0, &shape);
    ahead->at = ahead->coded = (uint16_t)(esp - ahead->packet);
    ahead->crypted = (uint16_t)(ahead->at + shape.front);
    ahead->icv = (uint16_t)(ahead->crypted + octets);
    ahead->end = (uint16_t)(ahead->icv + shape.tail);
    return ahead->stream->begin(&ahead->ctr, sa, esp, true);
}

static void stand_in_for(stand_in *with, wm_ipsec_ahead *ahead, const wm_ipsec *ipsec,
                         const wm_ipsec_sa *sa)
{
    with->ipsec = *ipsec;
    with->ipsec.in = with->ipsec.out = &with->sa;
    with->ipsec.wants_keys = NULL; /* it would be told of a copy */
    with->sa = *sa;
    with->sa.integrity = &with->integrity;
    with->sa.integrity_key.ahead = ahead;
    with->integrity = *sa->integrity;
    with->integrity.ready = is_ready;
    with->integrity.make = ahead->sends ? leave_code : end_code;
    if (sa->encryption != NULL) {
        with->sa.encryption = &with->encryption;
        with->encryption = *sa->encryption;
        with->encryption.seal = sealed;
        with->encryption.open = opened;
    }
}

/* What the call has changed in the copy. */
static void take_back(const stand_in *with, wm_ipsec_sa *sa)
{
    sa->sequence = with->sa.sequence;
    for (uint8_t i = 0; i < sizeof sa->window; i++) {
        sa->window[i] = with->sa.window[i];
    }
}

/* The packet at work, whose octets are all there. A function of its own, so that others need no room for a
 * stand_in. */
WM_NOINLINE static wm_status end_open(wm_ipsec_ahead *ahead, const wm_ipsec *ipsec, uint16_t *len)
{
    stand_in with;
    wm_ipsec_sa *sa = ahead->sa;
    if (*len < ahead->end || sa->spi != ahead->spi || sa->integrity != ahead->code->of ||
        sa->integrity_key.octets != ahead->key.octets) {
        return WM_ERR_UNAVAILABLE_KEY;
    }
    wm_ipsec_ahead_come(ahead, ahead->end);
    end_work(ahead);
    if (ahead->failed) {
        return WM_ERR_ENGINE;
    }
    stand_in_for(&with, ahead, ipsec, sa);
    with.ipsec.ins = 1;
    with.ipsec.outs = 0;
    wm_status status = wm_ipsec_unsecure(&with.ipsec, ahead->packet, len);
    take_back(&with, sa);
    return status;
}

wm_status wm_ipsec_unsecure_ahead(wm_ipsec_ahead *ahead, wm_ipsec *ipsec, uint8_t *packet,
                                  uint16_t *len)
{
    if (ahead->sa == NULL || ahead->packet != packet || ahead->sends) {
        return wm_ipsec_unsecure(ipsec, packet, len);
    }
    wm_status status = end_open(ahead, ipsec, len);
    forget(ahead);
    if (status < WM_OK) {
        wm_wipe(packet, *len);
        *len = 0;
    }
    return status;
}

/* The SA that wm_ipsec_secure takes for a packet, where that is one of ESP alone; else NULL. */
static wm_ipsec_sa *find_to_send(const wm_ipsec *ipsec, uint8_t *packet, uint16_t len)
{
    wm_ipsec_map map = {.packet = packet, .end = len};
    const wm_ipsec_policy *policy;
    if (!ipsec->started || wm_ipsec_walk(&map) != WM_OK ||
        wm_ipsec_find_policy(ipsec, &map, IPV6_DESTINATION, &policy) != WM_OK || policy == NULL ||
        policy->action != WM_IPSEC_PROTECT || policy->ah != 0) {
        return NULL;
    }
    wm_ipsec_sa *sa = ipsec->out;
    for (uint8_t left = ipsec->outs; left != 0; left--, sa++) {
        if (sa->protocol != NULL && sa->protocol->number == WM_IPV6_ESP &&
            sa->group == policy->esp && sa->sequence != UINT32_MAX) {
            return sa;
        }
    }
    return NULL;
}

/* A packet of `sa`, whose code was begun. A function of its own, as end_open. */
WM_NOINLINE static wm_status begin_seal(wm_ipsec_ahead *ahead, const wm_ipsec *ipsec,
                                        wm_ipsec_sa *sa, size_t size, uint16_t *len)
{
    stand_in with;
    stand_in_for(&with, ahead, ipsec, sa);
    with.ipsec.ins = 0;
    with.ipsec.outs = 1;
    wm_status status = wm_ipsec_secure(&with.ipsec, ahead->packet, size, len);
    take_back(&with, sa);
    return status;
}

wm_status wm_ipsec_secure_ahead(wm_ipsec_ahead *ahead, wm_ipsec *ipsec, uint8_t *packet,
                                size_t size, uint16_t *len)
{
    wm_ipsec_sa *sa = ahead->sa != NULL ? NULL : find_to_send(ipsec, packet, *len);
    if (sa == NULL || !begin(ahead, ipsec, sa, true)) {
        return wm_ipsec_secure(ipsec, packet, size, len);
    }
    ahead->packet = packet;
    wm_status status = begin_seal(ahead, ipsec, sa, size, len);
    if (status == WM_OK) {
        ahead->sa = sa;
    } else {
        forget(ahead);
    }
    if (status == WM_ERR_COUNTER && ipsec->wants_keys != NULL) {
        ipsec->wants_keys(ipsec->context, sa);
    }
    return status;
}

wm_status wm_ipsec_ahead_make(wm_ipsec_ahead *ahead, const uint8_t *packet, uint16_t end)
{
    if (ahead->sa == NULL || ahead->packet != packet || !ahead->sends) {
        return WM_OK;
    }
    const uint16_t to = lesser(end, ahead->icv);
    if (ahead->crypted < to) {
        crypt(ahead, (uint16_t)(to - ahead->crypted));
    }
    wm_status status = ahead->failed ? WM_ERR_ENGINE : WM_OK;
    if (status == WM_OK && end > ahead->icv) {
        take(ahead, (uint16_t)(ahead->icv - ahead->coded));
        status = ahead->code->end(&ahead->mac, ahead->packet + ahead->icv);
        if (status == WM_OK) {
            forget(ahead);
        }
    }
    if (status != WM_OK) {
        wm_ipsec_ahead_stop(ahead);
        status = WM_ERR_ENGINE;
    }
    return status;
}
