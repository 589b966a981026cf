/* SPDX-License-Identifier: BSD-3-Clause */
/** @file serial.h
 *  Messages in the serial frames of TinyOS 1.x, from a base to a computer and back:
 *
 *      0x7E | 0x42 | dst 2 | type 1 | group 1 | length 1 | data 0..29 | CRC 2 | 0x7E
 *
 *  0x42 says that no acknowledgement is wanted. A computer may send 0x41 and an octet of its choice
 *  instead: it is answered by 0x40, that octet and a CRC. The CRC goes from there to the end of the
 *  data; low octet first, as in every field. Between the two 0x7E, 0x7E and 0x7D are sent as 0x7D and
 *  the octet xor 0x20. Frames may share a 0x7E. */
#ifndef FIRMWARE_TINYSEC_SERIAL_H
#define FIRMWARE_TINYSEC_SERIAL_H

#include <stdbool.h>
#include <stdint.h>
#include <wardmote/tinysec.h>

#define SERIAL_FLAG 0x7Eu
#define SERIAL_ESCAPE 0x7Du
#define SERIAL_ESCAPED 0x20u
#define SERIAL_ACK 0x40u
#define SERIAL_WITH_ACK 0x41u
#define SERIAL_NO_ACK 0x42u
#define SERIAL_HEADER 5u /**< octets before the data, behind 0x42 */
#define SERIAL_CRC 2u

/** Of the octets of a frame before its CRC. */
uint16_t serial_crc(const uint8_t *octets, uint8_t len);

/** Begins to send a message.
 *  @retval false  the one before is still being sent: this one is lost */
bool serial_give(const wm_tinysec_message *message);

/** Whether something is still being sent. If so, LOOP_SENT is posted at its end. */
bool serial_busy(void);

/** Begins to answer a frame. Not while something is being sent. */
void serial_acknowledge(uint8_t token);

/** A message that a computer has sent, to this base's group. It stays until serial_drop. What is
 *  damaged or for another group is lost, and so is what comes while 64 octets wait. For LOOP_SENT.
 *  @retval false  there is none, or it cannot be answered yet */
bool serial_first(wm_tinysec_message *message);

/** The message is on its way: answers it if that is wanted. */
void serial_drop(void);

#endif
