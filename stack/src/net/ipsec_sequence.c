/* SPDX-License-Identifier: BSD-3-Clause */
/* Sequence numbers of IPsec: those sent, and the window of those received.
 * References: RFC 4303 §2.2, §3.3.3, §3.4.3, Appendix A; RFC 4302 the same.
 * Invariants: the counter knows that a sequence number is used before a packet has it, and that it has
 * come before the packet is released. What it holds for a SA is how many sequence numbers are used, or
 * the highest that came. */
#include "ipsec_parts.h"

#define OCTETS 8u            /* of the window */
#define WINDOW (OCTETS * 8u) /* a power of two */

void wm_ipsec_restore(wm_ipsec_sa *sa)
{
    sa->sequence = sa->counter->ops->limit(sa->counter);
    for (uint8_t i = 0; i < OCTETS; i++) {
        sa->window[i] = 0xFF; /* all came */
    }
}

wm_status wm_ipsec_use_sequence(wm_ipsec_sa *sa)
{
    if (sa->sequence == UINT32_MAX) {
        return WM_ERR_COUNTER;
    }
    wm_status status = sa->counter->ops->advance(sa->counter, sa->sequence + 1);
    if (status == WM_OK) {
        sa->sequence++;
    }
    return status;
}

/* The window moves up by so many. */
static void shift(uint8_t *window, uint8_t by)
{
    for (; by != 0; by--) {
        uint16_t bits = 0;
        for (uint8_t i = 0; i < OCTETS; i++) {
            bits = (uint16_t)((unsigned)window[i] << 1 | bits >> 8);
            window[i] = (uint8_t)bits;
            bits &= 0x1FFu;
        }
    }
}

/* Less than WINDOW, or WINDOW. */
static uint8_t at_most(uint32_t distance)
{
    return (distance & ~(uint32_t)(WINDOW - 1u)) != 0 ? WINDOW : (uint8_t)distance;
}

wm_status wm_ipsec_window(wm_ipsec_sa *sa, uint32_t sequence, bool came)
{
    uint8_t behind = 0;
    if (sequence > sa->sequence) {
        wm_status status = came ? sa->counter->ops->advance(sa->counter, sequence) : WM_OK;
        if (status != WM_OK || !came) {
            return status;
        }
        shift(sa->window, at_most(sequence - sa->sequence));
        sa->sequence = sequence;
    } else {
        behind = at_most(sa->sequence - sequence);
    }
    uint8_t *octet = sa->window + behind / 8u;
    const uint8_t bit = (uint8_t)(1u << behind % 8u);
    if (sequence == 0 || behind == WINDOW || (*octet & bit) != 0) {
        return WM_ERR_COUNTER;
    }
    if (came) {
        *octet |= bit;
    }
    return WM_OK;
}
