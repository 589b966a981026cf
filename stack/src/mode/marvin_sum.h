/* SPDX-License-Identifier: BSD-3-Clause */
/* What Marvin and LetterSoup have in common: R xor the sum of SCT(M_i xor O_i), O_i = R x^(8i), and
 * what is added to it at the end of a string. */
#ifndef WM_MODE_MARVIN_SUM_H
#define WM_MODE_MARVIN_SUM_H

#include <stdbool.h>
#include <stddef.h>
#include <wardmote/marvin.h>

static inline bool wm_marvin_tag_len_valid(size_t tag_len)
{
    return tag_len >= WM_MARVIN_TAG_MIN && tag_len <= WM_MARVIN_TAG_MAX;
}

/* Begins a string with mask and sum R. */
void wm_marvin_sum_begin(wm_marvin_sum *sum, const wm_block96 *r);

/* Moves on to the next block, which begins as its mask. To be called when `fill` is 0 and octets
 * follow. */
void wm_marvin_sum_next(wm_marvin_sum *sum);

/* Takes `len` octets into the current block, which has room for them, and adds it when it is
 * full. */
void wm_marvin_sum_take(wm_marvin_sum *sum, const uint8_t *data, uint8_t len);

/* Takes the next `len` octets. */
void wm_marvin_sum_update(wm_marvin_sum *sum, const uint8_t *data, size_t len);

/* Adds the last block, filled up with zeros, the length of the tag and the length of the string. */
void wm_marvin_sum_end(wm_marvin_sum *sum, uint8_t tag_len);

#endif
