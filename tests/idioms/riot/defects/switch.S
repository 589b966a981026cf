/* SPDX-License-Identifier: BSD-3-Clause */
/* A defect: SREG does not come back as it was. */
#define RESTORE_SREG sei
#include "../switch.S"
