/* SPDX-License-Identifier: BSD-3-Clause */
/** @file ct.h
 *  Comparison and wiping whose time depends on lengths only. */
#ifndef WARDMOTE_CT_H
#define WARDMOTE_CT_H

#include <stddef.h>
#include <stdint.h>
#include <wardmote/linkage.h>

WM_C_BEGIN

/** Compares two strings of `len` octets without leaving early.
 *  @retval 0      equal
 *  @retval other  different (the value says nothing about where) */
uint8_t wm_ct_diff(const uint8_t *a, const uint8_t *b, size_t len);

/** Overwrites `len` octets at `p` with zero; the compiler may not leave it out. */
void wm_wipe(void *p, size_t len);

WM_C_END

#endif
