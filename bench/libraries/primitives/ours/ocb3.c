/* SPDX-License-Identifier: BSD-3-Clause */
/* wardmote's own OCB3 over AES-128 in the variant that VARIANT names (tab, small); sealing
 * alone. */
#include <wardmote/ocb3.h>

#include "derived.h"

SEAL_WITH_DERIVED_KEY(ocb3, ocb3)
