/* SPDX-License-Identifier: BSD-3-Clause */
/* The product of 32 bits that says whether it fits, which __builtin_mul_overflow calls. */
#include "mspabi.h"

int32_t __mulosi4(int32_t a, int32_t b, int16_t *overflow)
{
    int64_t product = (int64_t)a * b;
    *overflow = product != (int32_t)product;
    return (int32_t)product;
}
