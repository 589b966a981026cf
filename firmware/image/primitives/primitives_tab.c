/* SPDX-License-Identifier: BSD-3-Clause */
/* Image `primitives-tab`: AES-128 `tab`. */
#include <wardmote/aes128.h>
#include "primitives.h"

const wm_cipher128 *const primitives_cipher = &wm_aes128_tab;
