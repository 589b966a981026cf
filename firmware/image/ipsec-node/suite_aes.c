/* SPDX-License-Identifier: BSD-3-Clause */
/* AES that only encrypts: CTR, CCM, XCBC and CMAC. */
#include "suite.h"

const suite_encryption suite_encryptions[SUITE_ENCRYPTIONS] = {SUITE_NULL, SUITE_CTR, SUITE_CCM_8,
                                                               SUITE_CCM_16, SUITE_CCM_8_IIV};

const suite_integrity suite_integrities[SUITE_INTEGRITIES] = {SUITE_XCBC, SUITE_CMAC};
