/* SPDX-License-Identifier: BSD-3-Clause */
/* What can be done by pieces, with XCBC: CTR, and no encryption. */
#include "suite.h"

const suite_encryption suite_encryptions[SUITE_ENCRYPTIONS] = {SUITE_NULL, SUITE_CTR};

const suite_integrity suite_integrities[SUITE_INTEGRITIES] = {SUITE_XCBC};

const wm_ipsec_code *const suite_codes[] = {&wm_ipsec_code_xcbc_96, NULL};

const wm_ipsec_stream *const suite_streams[] = {&wm_ipsec_stream_ctr, &wm_ipsec_stream_null, NULL};
