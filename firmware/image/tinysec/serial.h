/* SPDX-License-Identifier: BSD-3-Clause */
/** @file serial.h
 *  Messages in the serial frames of TinyOS 1.x, from a base to a computer:
 *
 *      0x7E | 0x42 | dst 2 | type 1 | group 1 | length 1 | data 0..29 | CRC 2 | 0x7E
 *
 *  0x42 says that no acknowledgement is wanted. The CRC goes from there to the end of the data; low
 *  octet first, as in every field. Between the two 0x7E, 0x7E and 0x7D are sent as 0x7D and the octet
 *  xor 0x20. */
#ifndef FIRMWARE_TINYSEC_SERIAL_H
#define FIRMWARE_TINYSEC_SERIAL_H

#include <stdbool.h>
#include <wardmote/tinysec.h>

/** Begins to send a message.
 *  @retval false  the one before is still being sent: this one is lost */
bool serial_give(const wm_tinysec_message *message);

#endif
