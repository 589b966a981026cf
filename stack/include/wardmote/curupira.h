/* SPDX-License-Identifier: BSD-3-Clause */
/** @file curupira.h
 *  What Curupira-1 and Curupira-2 have in common: blocks of 12 octets, the round transform and the
 *  square-complete transform (Barreto, Simplicio, "CURUPIRA, a block cipher for constrained
 *  platforms", SBRC 2007).
 *
 *  Octet i + 3j of a block is row i, column j of the cipher's state. Both ciphers work on rows; a
 *  row fits a register of a 32-bit CPU. The rounds are assembly on the MSP430, the AVR and ARMv7-M
 *  (stack/arch), with src/cipher/curupira1_rounds.c as reference. No branch depends on key or
 *  block; tests compare cycles and program-counter traces of the binary. Both index the S-box (256
 *  octets). It takes equal time where every octet of a table is equally near (MSP430, AVR, tables
 *  in RAM or in flash without wait states), but not behind a cache or a prefetch buffer. */
#ifndef WARDMOTE_CURUPIRA_H
#define WARDMOTE_CURUPIRA_H

#include <stdint.h>
#include <wardmote/linkage.h>

WM_C_BEGIN

/** Octets of a block. */
#define WM_CURUPIRA_BLOCK_LEN 12

/** Twelve octets, aligned so that a CPU may take them word by word. */
typedef union wm_block96 {
    uint8_t octet[12];
    uint16_t half[6];
    uint32_t word[3];
} wm_block96;

/** Square-complete transform of the 12 octets at `block` in place, any alignment: four rounds
 *  without a key, the same for Curupira-1 and Curupira-2. For Marvin and LetterSoup; no cipher on
 *  its own. */
void wm_curupira_sct(uint8_t block[12]);

WM_C_END

#endif
