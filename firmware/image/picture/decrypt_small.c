/* SPDX-License-Identifier: BSD-3-Clause */
#include "decrypt_by.h"

DECRYPT_BY(small, wm_aes128, wm_aes128_expand);
