/* SPDX-License-Identifier: BSD-3-Clause */
/** @file csma_radio.h
 *  The radio of a board as images with the CSMA-CA MAC (wardmote/csma.h) use it: it listens all the
 *  time, and drops and acknowledges frames by itself. It implements wm_port_csma_load and
 *  wm_port_csma_send of wardmote/port/csma_port.h; the alarm is the image's, by the chip's tick.h.
 *  Board and radio were started by board_start. */
#ifndef BOARD_CSMA_RADIO_H
#define BOARD_CSMA_RADIO_H

#include <stdbool.h>
#include <stdint.h>
#include <wardmote/csma.h>

/** Receiver on at `channel` (11..26), for the node `address` of `pan` and for what everybody is to
 *  hear. */
void csma_radio_start(uint8_t channel, uint16_t pan, uint16_t address);

/** Is there a frame to be read, or an overflow to be cleared? */
bool csma_radio_waits(void);

/** Takes that frame: WM_PSDU_MAX octets of room at `frame`; `*len` are its octets without FCS.
 *  `*overflowed` tells that later frames were lost; the radio goes on.
 *  @retval WM_ERR_FCS        its FCS is wrong
 *  @retval WM_ERR_MALFORMED  no length of a frame: what the radio held is dropped */
WM_NODISCARD wm_status csma_radio_take(uint8_t *frame, wm_psdu_len *len, bool *overflowed);

/** Sleeps until the radio or the alarm of tick.h has something, if neither has. Interrupts are
 *  enabled before and after. */
void csma_radio_rest(void);

#endif
