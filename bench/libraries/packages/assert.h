// SPDX-License-Identifier: BSD-3-Clause
// Release builds of BLAKE3 have no assertions.
#pragma once
#define assert(condition) ((void)0)
