/* SPDX-License-Identifier: BSD-3-Clause */
/** @file octets.h
 *  Loads and stores of unsigned integers in octet strings of any alignment, either order of
 *  octets. */
#ifndef WARDMOTE_OCTETS_H
#define WARDMOTE_OCTETS_H

#include <stdint.h>
#include <wardmote/linkage.h>

WM_C_BEGIN

/** The number in 2 octets, least significant first. */
static inline uint16_t wm_load_le16(const uint8_t p[2])
{
    return (uint16_t)(p[0] | (uint16_t)p[1] << 8);
}

/** The number in 2 octets, most significant first. */
static inline uint16_t wm_load_be16(const uint8_t p[2])
{
    return (uint16_t)((uint16_t)p[0] << 8 | p[1]);
}

/** The number in 4 octets, least significant first. */
static inline uint32_t wm_load_le32(const uint8_t p[4])
{
    return wm_load_le16(p) | (uint32_t)wm_load_le16(p + 2) << 16;
}

/** The number in 4 octets, most significant first. */
static inline uint32_t wm_load_be32(const uint8_t p[4])
{
    return (uint32_t)wm_load_be16(p) << 16 | wm_load_be16(p + 2);
}

/** Writes `v` as 2 octets, least significant first. */
static inline void wm_store_le16(uint8_t p[2], uint16_t v)
{
    p[0] = (uint8_t)v;
    p[1] = (uint8_t)(v >> 8);
}

/** Writes `v` as 2 octets, most significant first. */
static inline void wm_store_be16(uint8_t p[2], uint16_t v)
{
    p[0] = (uint8_t)(v >> 8);
    p[1] = (uint8_t)v;
}

/** Writes `v` as 4 octets, least significant first. */
static inline void wm_store_le32(uint8_t p[4], uint32_t v)
{
    wm_store_le16(p, (uint16_t)v);
    wm_store_le16(p + 2, (uint16_t)(v >> 16));
}

/** Writes `v` as 4 octets, most significant first. */
static inline void wm_store_be32(uint8_t p[4], uint32_t v)
{
    wm_store_be16(p, (uint16_t)(v >> 16));
    wm_store_be16(p + 2, (uint16_t)v);
}

WM_C_END

#endif
