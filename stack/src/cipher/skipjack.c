/* SPDX-License-Identifier: BSD-3-Clause */
/* Skipjack: keys for the modes. */
#include <wardmote/skipjack.h>
#include "octet_keys.h"

WM_OCTET_KEYS(skipjack, skipjack, 10, 8)
