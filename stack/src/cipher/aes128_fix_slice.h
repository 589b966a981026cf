/* SPDX-License-Identifier: BSD-3-Clause */
/* Bit slices of two AES states, for the key expansion and the C of the `fix` variant.
 *
 * Slice i holds bit i (0 = least) of all 32 octets of two blocks: octet r of the slice is row r of
 * the states, and bit 2c + b of that octet is column c of block b. A step of SubBytes is then one
 * logic operation for 32 octets at once, and a turn of rows is a rotation of the slice by 8. */
#ifndef WM_CIPHER_AES128_FIX_SLICE_H
#define WM_CIPHER_AES128_FIX_SLICE_H

#include <stdint.h>
#include <wardmote/block128.h>

/** Slices from two blocks. */
void wm_aes128_fix_slice(uint32_t slice[8], const wm_block128 *first, const wm_block128 *second);

/** Two blocks from slices; the inverse. */
void wm_aes128_fix_join(wm_block128 *first, wm_block128 *second, const uint32_t slice[8]);

/** SubBytes (FIPS 197 §5.1.1) but for its constant 0x63: slices 0, 1, 5 and 6 come out
 *  complemented. */
void wm_aes128_fix_substitute(uint32_t slice[8]);

#endif
