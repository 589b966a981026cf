/* SPDX-License-Identifier: BSD-3-Clause */
/** @file tsch_time.h
 *  Ticks (wardmote/tick.h) and microseconds, the ASN, channel hopping. No division: the smallest CPUs
 *  have none, and most of this runs in every slot. */
#ifndef WM_LINK_TSCH_TIME_H
#define WM_LINK_TSCH_TIME_H

#include <stdbool.h>
#include <stdint.h>
#include <wardmote/tick.h>

#define WM_HOPPING_LEN 16 /**< channels of the default hopping sequence; a power of two */

/** Whole ticks from the first preamble symbol to the end of the SFD, 5 octets of 32 us. */
#define WM_SFD_TICKS ((int)(160ul * WM_TICK_HZ / 1000000ul))

/** Ticks of `psdu_len` octets with preamble, SFD and length on the air, rounded up. 32 bits: for 309
 *  octets 16 are too few. */
static inline uint32_t wm_air_ticks(uint16_t psdu_len)
{
    const uint32_t octets = (uint32_t)psdu_len + 6u;

    return octets * WM_OCTET_TICKS_WHOLE + ((octets * WM_OCTET_TICKS_REST + 4095u) >> 12);
}

/** Microseconds of `ticks`, to the nearest. */
uint32_t wm_ticks_to_us(uint16_t ticks);

/** Ticks whose wm_ticks_to_us is nearest to `us`, at most 65535; wm_us_to_ticks(wm_ticks_to_us(t))
 *  = t. */
uint16_t wm_us_to_ticks(uint32_t us);

/** Microseconds of a difference of ticks, for a Time Correction IE: cut to -2048..2047. */
int16_t wm_difference_to_us(int16_t ticks);

/** Whole ticks nearest to a time correction of -2048..2047 us. */
int16_t wm_correction_to_ticks(int16_t us);

/** ASN + 1; all ones stays all ones: that ASN secures nothing any more. */
void wm_asn_increment(uint8_t asn[5]);

/** ASN + `slots`; at most all ones. */
void wm_asn_add(uint8_t asn[5], uint16_t slots);

/** Is `a` less than `b`? */
bool wm_asn_less(const uint8_t a[5], const uint8_t b[5]);

/** ASN mod `length`, length 1..32767. */
uint16_t wm_asn_mod(const uint8_t asn[5], uint16_t length);

/** Channel 11..26 of position 0..15 of the default hopping sequence (2015 6.2.10, 16 channels of
 *  2.4 GHz). */
uint8_t wm_hopping_channel(uint8_t position);

#endif
