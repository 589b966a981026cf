/* SPDX-License-Identifier: BSD-3-Clause */
#include "encrypt_by.h"

ENCRYPT_BY(small);
