/* SPDX-License-Identifier: BSD-3-Clause */
/* Everything that the stack has. */
#include "suite.h"

const suite_encryption suite_encryptions[SUITE_ENCRYPTIONS] = {
    SUITE_NULL, SUITE_CBC, SUITE_CTR, SUITE_CCM_8, SUITE_CCM_16, SUITE_CCM_8_IIV};

const suite_integrity suite_integrities[SUITE_INTEGRITIES] = {SUITE_SHA1, SUITE_SHA256, SUITE_XCBC,
                                                              SUITE_CMAC};
