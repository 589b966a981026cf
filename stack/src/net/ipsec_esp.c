/* SPDX-License-Identifier: BSD-3-Clause */
/* The encapsulating security payload.
 * References: RFC 4303 §2, §3.3, §3.4; RFC 9333 for a small node: no more padding than alignment
 * needs, no dummy packets, and those that come are dropped. */
#include <wardmote/octets.h>
#include "ipsec_parts.h"

#define SPI 0u
#define SEQUENCE 4u
#define HEADER 8u
#define TRAILER 2u /* pad length, next header */

/* Octets of padding behind `octets` of payload (§2.4). */
static uint8_t padding(const wm_ipsec_sa *sa, uint16_t octets)
{
    const uint8_t block = sa->encryption->block_octets;
    return (uint8_t)((block - (octets + TRAILER) % block) % block);
}

static uint16_t adds(const wm_ipsec_sa *sa, uint16_t octets)
{
    return (uint16_t)(HEADER + sa->encryption->iv_octets + padding(sa, octets) + TRAILER +
                      wm_ipsec_icv_octets(sa));
}

/* All from the SPI to the ICV. */
static void give(const wm_ipsec_text *text, wm_ipsec_take take, void *mac)
{
    take(mac, text->packet + text->at, (size_t)(text->end - text->at));
}

static wm_status seal(const wm_ipsec_sa *sa, uint8_t *packet, uint16_t at, uint16_t end,
                      uint8_t next)
{
    const uint8_t front = (uint8_t)(HEADER + sa->encryption->iv_octets);
    const uint16_t octets = (uint16_t)(end - at);
    const uint8_t pad = padding(sa, octets);
    const uint16_t body = (uint16_t)(octets + pad + TRAILER);
    const wm_ipsec_text text = {give, packet, at, (uint16_t)(at + front + body)};
    uint8_t *header = packet + at, *trailer = header + front + octets;
    wm_ipsec_move_up(header, octets, front);
    wm_store_be32(header + SPI, sa->spi);
    wm_store_be32(header + SEQUENCE, sa->sequence);
    for (uint8_t i = 1; i <= pad; i++) {
        *trailer++ = i;
    }
    *trailer++ = pad;
    *trailer++ = next;
    wm_status status = sa->encryption->seal(sa, header, body);
    if (status == WM_OK && sa->integrity != NULL) {
        status = sa->integrity->make(sa->integrity_key, &text, trailer);
    }
    return status;
}

/* Whether `body` octets end as they must: the payload's length, and what it is. */
static wm_status trim(const uint8_t *octets, uint16_t body, uint16_t *payload, uint8_t *next)
{
    const uint8_t pad = octets[body - TRAILER];
    if (pad > body - TRAILER) {
        return WM_ERR_MALFORMED;
    }
    *payload = (uint16_t)(body - TRAILER - pad);
    *next = octets[body - 1];
    for (uint8_t i = 1; i <= pad; i++) {
        if (octets[*payload + i - 1] != i) {
            return WM_ERR_MALFORMED;
        }
    }
    return *next == WM_IPV6_NO_NEXT ? WM_ERR_NOT_FOR_US : WM_OK;
}

/* ICV, window, decryption. A combined mode has its ICV after the decryption. */
static wm_status verify(wm_ipsec_sa *sa, wm_counter_store *store, const wm_ipsec_text *text,
                        uint8_t *header, uint16_t body)
{
    const uint32_t sequence = wm_load_be32(header + SEQUENCE);
    wm_status status = WM_OK;
    if (wm_ipsec_icv_octets(sa) == 0) {
        return sa->encryption->open(sa, header, body);
    }
    status = wm_ipsec_is_new(sa, sequence);
    if (status == WM_OK && sa->integrity != NULL) {
        status = sa->integrity->check(sa->integrity_key, text, text->packet + text->end);
        if (status == WM_OK) {
            status = wm_ipsec_came(sa, store, sequence);
        }
    }
    if (status == WM_OK) {
        status = sa->encryption->open(sa, header, body);
    }
    if (status == WM_OK && sa->integrity == NULL) {
        status = wm_ipsec_came(sa, store, sequence);
    }
    return status;
}

static wm_status open(wm_ipsec_sa *sa, wm_counter_store *store, uint8_t *packet, uint16_t at,
                      uint16_t *end, uint8_t *next)
{
    const uint8_t front = (uint8_t)(HEADER + sa->encryption->iv_octets);
    const uint8_t icv = wm_ipsec_icv_octets(sa);
    const uint16_t octets = (uint16_t)(*end - at);
    const wm_ipsec_text text = {give, packet, at, (uint16_t)(*end - icv)};
    const uint16_t body = (uint16_t)(octets - front - icv);
    uint16_t payload;
    if (octets <= front + icv || body % sa->encryption->block_octets != 0) {
        return WM_ERR_MALFORMED;
    }
    wm_status status = verify(sa, store, &text, packet + at, body);
    if (status == WM_OK) {
        status = trim(packet + at + front, body, &payload, next);
    }
    if (status == WM_OK) {
        *end = (uint16_t)(at + payload);
        wm_ipsec_move_down(packet + at, payload, front);
    }
    return status;
}

const wm_ipsec_protocol wm_ipsec_esp = {WM_IPV6_ESP, SPI, HEADER, adds, seal, open};
