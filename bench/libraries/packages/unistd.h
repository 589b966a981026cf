// SPDX-License-Identifier: BSD-3-Clause
// PQClean takes size_t from it.
#pragma once
#include <stddef.h>
