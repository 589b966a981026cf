/* SPDX-License-Identifier: BSD-3-Clause */
/* The products that the tables of the `tab` variants contain. */
#ifndef WM_CIPHER_AES128_PRODUCTS_H
#define WM_CIPHER_AES128_PRODUCTS_H

/* A half holds its two octets in memory order, on little-endian and on big-endian CPUs. */
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define HALF(first, second) (uint16_t)((first) << 8 | (second))
#else
#define HALF(first, second) (uint16_t)((second) << 8 | (first))
#endif

/* Twice an element of GF(2^8) (FIPS 197 §4.2). */
#define X2(s) ((s) << 1 ^ ((s) >> 7) * 0x11b)

#endif
