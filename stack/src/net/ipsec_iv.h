/* SPDX-License-Identifier: BSD-3-Clause */
/* What ESP's encryption algorithms share. */
#ifndef WM_NET_IPSEC_IV_H
#define WM_NET_IPSEC_IV_H

#include <wardmote/ipsec.h>

#define ESP_HEADER 8u
#define ESP_SEQUENCE 4u
#define ESP_COUNTER 8u /* octets of the IV of CTR and CCM */

/** A number that never comes twice in a SA, in 8 octets: the sequence number (RFC 8750 §4). */
static inline void wm_ipsec_counter(const uint8_t *esp, uint8_t *to)
{
    for (uint8_t i = 0; i < 4; i++) {
        to[i] = 0;
        to[i + 4] = esp[ESP_SEQUENCE + i];
    }
}

#endif
