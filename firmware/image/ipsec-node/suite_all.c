/* SPDX-License-Identifier: BSD-3-Clause */
/* Everything that the stack has. */
#include "suite.h"

const suite_encryption suite_encryptions[SUITE_ENCRYPTIONS] = {
    SUITE_NULL, SUITE_CBC, SUITE_CTR, SUITE_CCM_8, SUITE_CCM_16, SUITE_CCM_8_IIV};

const suite_integrity suite_integrities[SUITE_INTEGRITIES] = {SUITE_SHA1, SUITE_SHA256, SUITE_XCBC,
                                                              SUITE_CMAC};

const wm_ipsec_code *const suite_codes[] = {&wm_ipsec_code_xcbc_96, &wm_ipsec_code_cmac_96, NULL};

const wm_ipsec_stream *const suite_streams[] = {&wm_ipsec_stream_ctr, &wm_ipsec_stream_null, NULL};
