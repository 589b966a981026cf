/* SPDX-License-Identifier: BSD-3-Clause */
/* A sender to everybody, ten packets a second, whose mode and keys come from its makefile
 * (firmware/tinysec.mk). The address of each node is written by whoever programs it. */
#include "tinysec_block.h"
#include "tinysec_key.h"

TINYSEC_SETUP_FLASH = {
    .magic = TINYSEC_MAGIC,
    .address = 1,
    .destination = WM_TINYSEC_BROADCAST,
    .seed = 1,
    .clear = 250,
    .role = TINYSEC_SENDER,
    .mode = TINYSEC_SEND,
    .accept = TINYSEC_SEND == WM_TINYSEC_PLAIN ? WM_TINYSEC_CRC : WM_TINYSEC_AUTHENTICATED,
    .profile = WM_TINYSEC_PAPER,
    .group = 0x7D,
    .preamble = 28,
    .data_octets = 24,
    .gap = 240,
    .power = 0x0F,
    .key = {TINYSEC_ENCRYPTION_KEY, TINYSEC_MAC_KEY},
};
