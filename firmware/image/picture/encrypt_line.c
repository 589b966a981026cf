/* SPDX-License-Identifier: BSD-3-Clause */
/* A coprocessor on the serial line does it. */
#include "clear.h"
