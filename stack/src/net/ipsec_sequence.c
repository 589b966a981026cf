/* SPDX-License-Identifier: BSD-3-Clause */
/* Sequence numbers of IPsec: those sent, and the window of those received.
 * References: RFC 4303 §2.2, §3.3.3, §3.4.3, Appendix A; RFC 4302 the same.
 * Invariants: the store knows that a sequence number is used before a packet has it, and that it has
 * come before the packet is released. What the store holds for a SA is how many sequence numbers are
 * used, or the highest that came. */
#include "ipsec_parts.h"

#define WINDOW 64u
#define ALL_CAME UINT32_MAX

void wm_ipsec_restore(const wm_ipsec *ipsec, wm_ipsec_sa *sa)
{
    sa->sequence = wm_counter_store_limit(ipsec->store, sa->slot);
    sa->window[0] = ALL_CAME;
    sa->window[1] = ALL_CAME;
}

wm_status wm_ipsec_use_sequence(wm_ipsec_sa *sa, wm_counter_store *store)
{
    if (sa->sequence == UINT32_MAX) {
        return WM_ERR_COUNTER;
    }
    if (!wm_counter_store_continues(store, sa->slot, sa->sequence)) {
        return WM_ERR_STATE;
    }
    wm_status status = wm_counter_store_advance(store, sa->slot, sa->sequence + 1);
    if (status == WM_OK) {
        sa->sequence++;
    }
    return status;
}

/* The bit of a sequence number `behind` the highest. */
static uint32_t bit_of(uint8_t behind)
{
    uint32_t bit = 1;
    for (behind %= 32u; behind != 0; behind--) {
        bit <<= 1;
    }
    return bit;
}

wm_status wm_ipsec_is_new(const wm_ipsec_sa *sa, uint32_t sequence)
{
    if (sequence > sa->sequence) {
        return WM_OK;
    }
    const uint32_t behind = sa->sequence - sequence;
    if (sequence == 0 || behind >= WINDOW ||
        (sa->window[behind / 32u] & bit_of((uint8_t)behind)) != 0) {
        return WM_ERR_COUNTER;
    }
    return WM_OK;
}

/* The window moves up. */
static void shift(wm_ipsec_sa *sa, uint32_t by)
{
    if (by >= WINDOW) {
        sa->window[0] = 0;
        sa->window[1] = 0;
        return;
    }
    for (uint8_t left = (uint8_t)by; left != 0; left--) {
        sa->window[1] = sa->window[1] << 1 | (sa->window[0] & 0x80000000u) >> 31;
        sa->window[0] <<= 1;
    }
}

wm_status wm_ipsec_came(wm_ipsec_sa *sa, wm_counter_store *store, uint32_t sequence)
{
    if (!wm_counter_store_continues(store, sa->slot, sa->sequence) && sa->sequence != UINT32_MAX) {
        return WM_ERR_STATE;
    }
    if (sequence > sa->sequence) {
        wm_status status = wm_counter_store_advance(store, sa->slot, sequence);
        if (status != WM_OK) {
            return status;
        }
        shift(sa, sequence - sa->sequence);
        sa->sequence = sequence;
    }
    const uint8_t behind = (uint8_t)(sa->sequence - sequence);
    sa->window[behind / 32u] |= bit_of(behind);
    return WM_OK;
}
