/* SPDX-License-Identifier: BSD-3-Clause */
/* HMAC-SHA256, and encryption by CTR. */
#include "suite.h"

const suite_encryption suite_encryptions[SUITE_ENCRYPTIONS] = {SUITE_NULL, SUITE_CTR};

const suite_integrity suite_integrities[SUITE_INTEGRITIES] = {SUITE_SHA256};
