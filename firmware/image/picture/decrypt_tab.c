/* SPDX-License-Identifier: BSD-3-Clause */
#include "decrypt_by.h"

DECRYPT_BY(tab, wm_aes128_two_way, wm_aes128_tab_expand_inverse);
