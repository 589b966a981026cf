/* SPDX-License-Identifier: BSD-3-Clause */
// clean: what cancels itself out, is masked away or multiplied by 0 is known
// call: uint8_t cancelled(const uint8_t key[2], uint8_t zero)
// secret: key
// arg: zero=0
#include <stdint.h>

uint8_t cancelled(const uint8_t key[2], uint8_t zero)
{
    uint8_t nothing = (uint8_t)(key[0] & zero);
    if (nothing != 0)
        return 1;
    return (uint8_t)(key[1] + 1);
}
