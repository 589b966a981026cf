/* SPDX-License-Identifier: BSD-3-Clause */
/* Skipjack in the least flash: keys for the modes. */
#include <wardmote/skipjack.h>
#include "octet_keys.h"

WM_OCTET_KEYS(skipjack_small, skipjack, 10, 8)
