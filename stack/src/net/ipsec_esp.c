/* SPDX-License-Identifier: BSD-3-Clause */
/* The encapsulating security payload.
 * References: RFC 4303 §2, §3.3, §3.4; RFC 9333 for a small node: no more padding than alignment
 * needs, no dummy packets, and those that come are dropped. */
#include "ipsec_parts.h"

/* All from the SPI to the ICV. */
static void give(const wm_ipsec_text *text, wm_ipsec_take take, void *mac)
{
    take(mac, text->packet + text->at, (size_t)(text->icv - text->at));
}

static wm_status seal(const wm_ipsec_sa *sa, const wm_ipsec_shape *shape, uint8_t *header,
                      uint16_t payload, uint8_t next)
{
    const uint8_t pad = shape->pad;
    uint8_t *trailer = header + shape->front + payload;
    for (uint8_t i = 1; i <= pad; i++) {
        *trailer++ = i;
    }
    trailer[0] = pad;
    trailer[1] = next;
    return sa->encryption->seal(sa, header, (uint16_t)(payload + pad + WM_IPSEC_ESP_TRAILER));
}

/* Whether the octets in front of the ICV end as they must. */
static wm_status trim(const wm_ipsec_shape *shape, const uint8_t *header, uint16_t *octets,
                      uint8_t *next)
{
    const uint8_t *end = header + *octets - WM_IPSEC_ESP_TRAILER; /* of the padding */
    uint8_t pad = end[0];
    uint16_t payload = (uint16_t)(*octets - shape->front - WM_IPSEC_ESP_TRAILER);
    *next = end[1];
    if (pad > payload) {
        return WM_ERR_MALFORMED;
    }
    *octets = (uint16_t)(payload - pad);
    for (; pad != 0; pad--) {
        if (*--end != pad) {
            return WM_ERR_MALFORMED;
        }
    }
    return *next == WM_IPV6_NO_NEXT ? WM_ERR_NOT_FOR_US : WM_OK;
}

const wm_ipsec_protocol wm_ipsec_esp = {WM_IPV6_ESP, seal, trim, give};
