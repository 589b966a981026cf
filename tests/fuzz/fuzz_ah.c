/* SPDX-License-Identifier: BSD-3-Clause */
/* AH alone: see ipsec_target.c. */
#include "ipsec_target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_ipsec(data, size, FUZZ_AH);
}
