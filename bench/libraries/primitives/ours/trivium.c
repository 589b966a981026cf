/* SPDX-License-Identifier: BSD-3-Clause */
/* wardmote's own Trivium. */
#include <wardmote/trivium.h>

#include "../primitives.h"

void stream(const uint8_t *key, const uint8_t *iv, uint8_t *m, uint16_t octets)
{
    wm_trivium context;
    wm_trivium_init(&context, key, iv);
    wm_trivium_crypt(&context, m, octets);
}
