/* SPDX-License-Identifier: BSD-3-Clause */
/** @file octet_radio.h
 *  What a link layer asks of a radio that gives and takes octets, and knows nothing of packets. A board
 *  implements it. */
#ifndef FIRMWARE_OCTET_RADIO_H
#define FIRMWARE_OCTET_RADIO_H

#include <stdbool.h>
#include <stdint.h>

/** Sets the pins and starts radio and clock. The radio listens. Once in an octet time it calls
 *  link_octet.
 *  @param power  output power, as the radio's register has it
 *  @retval false  no radio answers */
bool octet_radio_start(uint8_t power);

/** From link_octet: the transmitter takes over. It sends `first`, and then what link_octet returns. */
void octet_radio_send(uint8_t first);

/** From link_octet: the receiver takes over. */
void octet_radio_listen(void);

/** From link_octet: the power on the channel as the ADC tells it, 0..1023: more is weaker. */
uint16_t octet_radio_level(void);

/** Time in 8 cycles of the CPU, modulo 2^32. */
uint32_t octet_radio_now(void);

/** What the handler of an octet calls.
 *  @param received  8 bits as the receiver has them; where an octet begins is not known
 *  @returns         the octet to send after the one that is being sent */
uint8_t link_octet(uint8_t received);

#endif
