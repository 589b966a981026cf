/* SPDX-License-Identifier: BSD-3-Clause */
// leaky: a switch over a secret of many cases becomes a table of jumps
// call: uint8_t switch_table(const uint8_t key[1])
// secret: key
#include <stdint.h>

volatile uint8_t port;

uint8_t switch_table(const uint8_t key[1])
{
    switch (key[0]) {
    case 0:
        port = 3;
        break;
    case 1:
        port = 9;
        port = 1;
        break;
    case 2:
        port = 27;
        break;
    case 3:
        port = 81;
        port = 2;
        break;
    case 4:
        port = 243;
        break;
    case 5:
        port = 11;
        port = 3;
        break;
    case 6:
        port = 7;
        break;
    default:
        break;
    }
    return 0;
}
