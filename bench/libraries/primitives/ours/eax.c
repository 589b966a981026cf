/* SPDX-License-Identifier: BSD-3-Clause */
/* wardmote's own EAX over AES-128 in the variant that VARIANT names (tab, small). */
#include <wardmote/eax.h>

#include "derived.h"

SEAL_WITH_DERIVED_KEY(cmac, eax)
