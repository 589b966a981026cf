/* SPDX-License-Identifier: BSD-3-Clause */
/* CBC, which decrypts blocks, with XCBC. */
#include "suite.h"

const suite_encryption suite_encryptions[SUITE_ENCRYPTIONS] = {SUITE_CBC};

const suite_integrity suite_integrities[SUITE_INTEGRITIES] = {SUITE_XCBC};
