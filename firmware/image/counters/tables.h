/* SPDX-License-Identifier: BSD-3-Clause */
/** @file tables.h
 *  The security PIB of image `counters`. */
#ifndef IMAGE_COUNTERS_TABLES_H
#define IMAGE_COUNTERS_TABLES_H

#include <wardmote/security_procedures.h>

#define TABLES_PAN 0xABCDu

/** The node's own address. */
extern const uint8_t tables_address[8];

/** Fills `pib`, all zero before, with tables whose counters `store` keeps. */
void tables_fill(wm_security_pib *pib, wm_counter_store *store);

/** How a frame under `key` is secured. */
void tables_params(uint8_t key, wm_security_params *params);

/** The least counter that is still accepted from the peer of `key`. */
uint32_t tables_least(uint8_t key);

#endif
