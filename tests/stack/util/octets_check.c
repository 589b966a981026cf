/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks all of wardmote/octets.h at run time. The exit code is 0, or the number of the first check
 * that failed. test_octets.py builds and runs it. */
#include <wardmote/octets.h>

static int check(int number, int truth)
{
    return truth ? 0 : number;
}

int main(void)
{
    static uint8_t octet[16] = {0xf0, 0x01, 0x82, 0xf3, 0x84, 0x05, 0xf6, 0x87};
    int failed = 0;
    for (int at = 0; at < 4 && failed == 0; at++) { /* every alignment */
        const uint8_t *p = octet + at;
        uint32_t le = (uint32_t)p[0] + p[1] * 0x100u + p[2] * 0x10000u + p[3] * 0x1000000u;
        uint32_t be = (uint32_t)p[3] + p[2] * 0x100u + p[1] * 0x10000u + p[0] * 0x1000000u;
        failed = check(1, wm_load_le32(p) == le) + check(2, wm_load_be32(p) == be) +
                 check(4, wm_load_le16(p) == (le & 0xffff)) + check(8, wm_load_be16(p) == be >> 16);
        uint8_t copy[16] = {0};
        wm_store_le32(copy + at, le);
        wm_store_be32(copy + at + 4, be);
        wm_store_le16(copy + at + 8, (uint16_t)le);
        wm_store_be16(copy + at + 10, (uint16_t)(be >> 16));
        for (int i = 0; i < 4; i++) {
            failed += check(16, copy[at + i] == p[i]) + check(32, copy[at + 4 + i] == p[i]);
            failed +=
                i < 2 ? check(64, copy[at + 8 + i] == p[i]) + check(64, copy[at + 10 + i] == p[i])
                      : 0;
        }
        failed += check(128, copy[at + 12] == 0 && (at == 0 || copy[at - 1] == 0));
    }
    return failed & 0xff;
}
