/* SPDX-License-Identifier: BSD-3-Clause */
/* SHA-256's compression (FIPS 180-4 §6.2.2), a file of its own so that others can take its
 * place. */
#ifndef WM_HASH_SHA256_COMPRESS_H
#define WM_HASH_SHA256_COMPRESS_H

#include <wardmote/md64.h>

/** Takes the 64 octets of the block into `state`, H_0 to H_7; changes the block. */
void wm_sha256_compress(uint32_t *state, wm_md64 *md);

#endif
