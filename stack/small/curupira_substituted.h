/* SPDX-License-Identifier: BSD-3-Clause */
/* Curupira's S-box where it has no table. */
#ifndef WM_SMALL_CURUPIRA_SUBSTITUTED_H
#define WM_SMALL_CURUPIRA_SUBSTITUTED_H

#include <stdint.h>

/* x through the S-box. */
uint8_t wm_curupira_substituted(uint8_t x);

#endif
