/* SPDX-License-Identifier: BSD-3-Clause */
/** @file iv_store.h
 *  Where the counter of the IVs outlives a reset: iv_store_<cpu>.c.
 *
 *  Whoever programs the image, and with it its keys, leaves that memory erased: this is how a mote
 *  that was never used is told from one whose counter is lost. The store fails on anything else. */
#ifndef FIRMWARE_TINYSEC_IV_STORE_H
#define FIRMWARE_TINYSEC_IV_STORE_H

#include <wardmote/counter.h>

/** IVs that a reset may skip. */
#define IV_STORE_BLOCK 1024

/** Opens the counter.
 *  @return anything but WM_OK: the store does not work, or holds something else */
WM_NODISCARD wm_status iv_store_open(void);

/** The counter. */
extern wm_counter *const iv_store;

#endif
