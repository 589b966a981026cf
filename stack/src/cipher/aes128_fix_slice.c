/* SPDX-License-Identifier: BSD-3-Clause */
/* Bit slices of two AES states: see aes128_fix_slice.h.
 * References: FIPS 197 §3.4, §5.1.1; the S-box as a circuit of 115 gates: J. Boyar, R. Peralta,
 * "A new combinational logic minimization technique with applications to cryptology", ePrint
 * 2009/191; its names are kept.
 * Invariants: straight code; no branch, address or shift depends on data. */
#include <wardmote/octets.h>
#include "aes128_fix_slice.h"

/* Exchanges the bits `mask` << n of a with the bits `mask` of b. */
static inline void exchange(uint32_t *a, uint32_t *b, uint32_t mask, unsigned n)
{
    uint32_t t = (*a >> n ^ *b) & mask;
    *b ^= t;
    *a ^= t << n;
}

/* Transposes the 8 x 8 bits that octet r of all words form, for each r. Its own inverse. */
static void transpose(uint32_t w[8])
{
    for (unsigned i = 0; i < 8; i += 2) {
        exchange(w + i, w + i + 1, 0x55555555, 1);
    }
    for (unsigned i = 0; i < 8; i += 4) {
        exchange(w + i, w + i + 2, 0x33333333, 2);
        exchange(w + i + 1, w + i + 3, 0x33333333, 2);
    }
    for (unsigned i = 0; i < 4; i++) {
        exchange(w + i, w + i + 4, 0x0f0f0f0f, 4);
    }
}

void wm_aes128_fix_slice(uint32_t slice[8], const wm_block128 *first, const wm_block128 *second)
{
    for (unsigned c = 0; c < 4; c++) {
        slice[2 * c] = wm_load_le32(first->octet + 4 * c);
        slice[2 * c + 1] = wm_load_le32(second->octet + 4 * c);
    }
    transpose(slice);
}

void wm_aes128_fix_join(wm_block128 *first, wm_block128 *second, const uint32_t slice[8])
{
    uint32_t w[8];
    for (unsigned i = 0; i < 8; i++) {
        w[i] = slice[i];
    }
    transpose(w);
    for (unsigned c = 0; c < 4; c++) {
        wm_store_le32(first->octet + 4 * c, w[2 * c]);
        wm_store_le32(second->octet + 4 * c, w[2 * c + 1]);
    }
}

void wm_aes128_fix_substitute(uint32_t slice[8])
{
    /* The circuit's x0 is the most significant bit. Linear part: what the products need. */
    const uint32_t x0 = slice[7], x1 = slice[6], x2 = slice[5], x3 = slice[4];
    const uint32_t x4 = slice[3], x5 = slice[2], x6 = slice[1], x7 = slice[0];
    const uint32_t y14 = x3 ^ x5, y13 = x0 ^ x6, y9 = x0 ^ x3, y8 = x0 ^ x5, t0 = x1 ^ x2,
                   y1 = t0 ^ x7;
    const uint32_t y4 = y1 ^ x3, y12 = y13 ^ y14, y2 = y1 ^ x0, y5 = y1 ^ x6, y3 = y5 ^ y8,
                   t1 = x4 ^ y12;
    const uint32_t y15 = t1 ^ x5, y20 = t1 ^ x1, y6 = y15 ^ x7, y10 = y15 ^ t0, y11 = y20 ^ y9,
                   y7 = x7 ^ y11;
    const uint32_t y17 = y10 ^ y11, y19 = y10 ^ y8, y16 = t0 ^ y11, y21 = y13 ^ y16, y18 = x0 ^ y16;
    /* Products into GF(2^4), inversion there, products back. */
    const uint32_t t2 = y12 & y15, t3 = y3 & y6, t4 = t3 ^ t2, t5 = y4 & x7, t6 = t5 ^ t2,
                   t7 = y13 & y16;
    const uint32_t t8 = y5 & y1, t9 = t8 ^ t7, t10 = y2 & y7, t11 = t10 ^ t7, t12 = y9 & y11,
                   t13 = y14 & y17;
    const uint32_t t14 = t13 ^ t12, t15 = y8 & y10, t16 = t15 ^ t12, t17 = t4 ^ t14, t18 = t6 ^ t16,
                   t19 = t9 ^ t14;
    const uint32_t t20 = t11 ^ t16, t21 = t17 ^ y20, t22 = t18 ^ y19, t23 = t19 ^ y21,
                   t24 = t20 ^ y18;
    const uint32_t t25 = t21 ^ t22, t26 = t21 & t23, t27 = t24 ^ t26, t28 = t25 & t27,
                   t29 = t28 ^ t22, t30 = t23 ^ t24;
    const uint32_t t31 = t22 ^ t26, t32 = t31 & t30, t33 = t32 ^ t24, t34 = t23 ^ t33,
                   t35 = t27 ^ t33, t36 = t24 & t35;
    const uint32_t t37 = t36 ^ t34, t38 = t27 ^ t36, t39 = t29 & t38, t40 = t25 ^ t39,
                   t41 = t40 ^ t37, t42 = t29 ^ t33;
    const uint32_t t43 = t29 ^ t40, t44 = t33 ^ t37, t45 = t42 ^ t41;
    const uint32_t z0 = t44 & y15, z1 = t37 & y6, z2 = t33 & x7, z3 = t43 & y16, z4 = t40 & y1,
                   z5 = t29 & y7;
    const uint32_t z6 = t42 & y11, z7 = t45 & y17, z8 = t41 & y10, z9 = t44 & y12, z10 = t37 & y3,
                   z11 = t33 & y4;
    const uint32_t z12 = t43 & y13, z13 = t40 & y5, z14 = t29 & y2, z15 = t42 & y9, z16 = t45 & y14,
                   z17 = t41 & y8;
    /* Linear part: the sums of products that are the result. */
    const uint32_t t46 = z15 ^ z16, t47 = z10 ^ z11, t48 = z5 ^ z13, t49 = z9 ^ z10, t50 = z2 ^ z12,
                   t51 = z2 ^ z5;
    const uint32_t t52 = z7 ^ z8, t53 = z0 ^ z3, t54 = z6 ^ z7, t55 = z16 ^ z17, t56 = z12 ^ t48,
                   t57 = t50 ^ t53;
    const uint32_t t58 = z4 ^ t46, t59 = z3 ^ t54, t60 = t46 ^ t57, t61 = z14 ^ t57,
                   t62 = t52 ^ t58, t63 = t49 ^ t58;
    const uint32_t t64 = z4 ^ t59, t65 = t61 ^ t62, t66 = z1 ^ t63, t67 = t64 ^ t65;
    const uint32_t s3 = t53 ^ t66;
    slice[7] = t59 ^ t63;
    slice[6] = t64 ^ s3;
    slice[5] = t55 ^ t67;
    slice[4] = s3;
    slice[3] = t51 ^ t66;
    slice[2] = t47 ^ t65;
    slice[1] = t56 ^ t62;
    slice[0] = t48 ^ t60;
}
