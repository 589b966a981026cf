/* SPDX-License-Identifier: BSD-3-Clause */
/** @file octets8.h
 *  Strings of 8 octets, as extended addresses and Key Sources are, written out: this is what the
 *  header of a frame is mostly made of, between the end of a frame and its Enh-Ack. A loop costs
 *  the MSP430 twice the cycles. */
#ifndef WM_UTIL_OCTETS8_H
#define WM_UTIL_OCTETS8_H

#include <stdbool.h>
#include <stdint.h>

/** Copies 8 octets. */
static inline void wm_copy8(uint8_t to[8], const uint8_t from[8])
{
    to[0] = from[0];
    to[1] = from[1];
    to[2] = from[2];
    to[3] = from[3];
    to[4] = from[4];
    to[5] = from[5];
    to[6] = from[6];
    to[7] = from[7];
}

/** Copies 8 octets in reverse order. */
static inline void wm_reverse8(uint8_t to[8], const uint8_t from[8])
{
    to[7] = from[0];
    to[6] = from[1];
    to[5] = from[2];
    to[4] = from[3];
    to[3] = from[4];
    to[2] = from[5];
    to[1] = from[6];
    to[0] = from[7];
}

/** Copies the 5 octets of an ASN. */
static inline void wm_copy5(uint8_t to[5], const uint8_t from[5])
{
    to[0] = from[0];
    to[1] = from[1];
    to[2] = from[2];
    to[3] = from[3];
    to[4] = from[4];
}

/** Are 8 octets the same? Not in constant time: addresses are not secret. */
static inline bool wm_same8(const uint8_t a[8], const uint8_t b[8])
{
    return ((a[0] ^ b[0]) | (a[1] ^ b[1]) | (a[2] ^ b[2]) | (a[3] ^ b[3]) | (a[4] ^ b[4]) |
            (a[5] ^ b[5]) | (a[6] ^ b[6]) | (a[7] ^ b[7])) == 0;
}

#endif
