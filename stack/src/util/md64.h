/* SPDX-License-Identifier: BSD-3-Clause */
/* A message in blocks of 64 octets with its length behind it: what FIPS 180-4 §5 asks of SHA-1 and
 * SHA-256 alike. */
#ifndef WM_UTIL_MD64_H
#define WM_UTIL_MD64_H

#include <stddef.h>
#include <wardmote/md64.h>

/** Takes the octets of `block` into `state`; may change the block. */
typedef void wm_md64_compress(uint32_t *state, wm_md64 *md);

/** Forgets every octet. */
void wm_md64_init(wm_md64 *md);

/** The block's octets become words in place: each word, a big-endian number, lies where its octets
 *  lay. */
void wm_md64_words(wm_md64 *md);

/** Takes `len` octets in; every full block goes through `compress`. */
void wm_md64_update(wm_md64 *md, uint32_t *state, wm_md64_compress *compress, const uint8_t *data,
                    size_t len);

/** Pads (§5.1.1): a bit 1, zeros, and the length in bits; `compress` sees the last block or the
 *  last two. */
void wm_md64_finish(wm_md64 *md, uint32_t *state, wm_md64_compress *compress);

#endif
