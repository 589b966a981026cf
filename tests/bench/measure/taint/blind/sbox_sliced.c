/* SPDX-License-Identifier: BSD-3-Clause */
// clean: a bit-sliced S-box of five lanes, as Ascon's: logic alone
// call: void sbox_sliced(uint32_t lane[5])
// secret: lane
#include <stdint.h>

void sbox_sliced(uint32_t lane[5])
{
    uint32_t a = lane[0] ^ lane[4], b = lane[1], c = lane[2] ^ lane[1];
    uint32_t d = lane[3], e = lane[4] ^ lane[3];
    uint32_t v = a ^ (~b & c), w = b ^ (~c & d), x = c ^ (~d & e);
    uint32_t y = d ^ (~e & a), z = e ^ (~a & b);
    lane[1] = w ^ v;
    lane[0] = v ^ z;
    lane[3] = y ^ x;
    lane[2] = ~x;
    lane[4] = z;
}
