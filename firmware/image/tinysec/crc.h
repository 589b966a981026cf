/* SPDX-License-Identifier: BSD-3-Clause */
/** @file crc.h
 *  The CRC of TinyOS 1.x, of packets and of serial frames: x^16 + x^12 + x^5 + 1, most significant bit
 *  first, from 0. */
#ifndef FIRMWARE_TINYSEC_CRC_H
#define FIRMWARE_TINYSEC_CRC_H

#include <stdint.h>

/** With one octet more. */
uint16_t crc_with(uint16_t crc, uint8_t octet);

#endif
