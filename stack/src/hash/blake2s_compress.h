/* SPDX-License-Identifier: BSD-3-Clause */
/* BLAKE2s's compression function F (RFC 7693 §3.2), a file of its own so that others can take its
 * place. */
#ifndef WM_HASH_BLAKE2S_COMPRESS_H
#define WM_HASH_BLAKE2S_COMPRESS_H

#include <wardmote/blake2s.h>

/** IV (§2.6): what SHA-256 begins with. */
extern const uint32_t wm_blake2s_iv[8];

/** Takes the block into ctx->h, with ctx->t as it stands. `f0` is v_14's mask: all ones for the
 *  last block, otherwise 0. May change the block. */
void wm_blake2s_compress(wm_blake2s *ctx, uint32_t f0);

#endif
