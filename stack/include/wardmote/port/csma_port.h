/* SPDX-License-Identifier: BSD-3-Clause */
/** @file port/csma_port.h
 *  What the CSMA-CA MAC (csma.h) asks of a board: one alarm, and a radio that listens all the time,
 *  makes and checks the FCS, and by itself acknowledges frames that ask for it and are for this node
 *  alone, after aTurnaroundTime. Firmware implements it, and so does a test double on the host.
 *  Nothing here is called from an interrupt. */
#ifndef WARDMOTE_PORT_CSMA_PORT_H
#define WARDMOTE_PORT_CSMA_PORT_H

#include <stdbool.h>
#include <stdint.h>
#include <wardmote/ieee802154.h>
#include <wardmote/linkage.h>

WM_C_BEGIN

struct wm_csma;

/** How sending a frame ended. */
typedef enum wm_csma_result {
    WM_CSMA_SENT,          /**< acknowledged, or sent where no ack was asked for */
    WM_CSMA_NO_ACK,        /**< NO_ACK, 0xE9: sent macMaxFrameRetries + 1 times */
    WM_CSMA_CHANNEL_ACCESS /**< CHANNEL_ACCESS_FAILURE, 0xE1: the channel was never clear */
} wm_csma_result;

/** Arms the alarm: wm_csma_on_alarm is to be called when this many symbol periods have passed, or
 *  more, never fewer. It replaces an earlier alarm. There are 1 to 65535 of them: a symbol period
 *  has 16 us with the O-QPSK PHY of 2.4 GHz. */
void wm_port_csma_alarm(uint16_t symbols);

/** Replaces the frame in the radio's transmit buffer; it stays there until the next call. The radio
 *  adds the FCS. An alarm runs already: if it is due before this returns, call wm_csma_on_alarm after
 *  wm_csma_send. */
void wm_port_csma_load(const uint8_t *frame, wm_psdu_len len);

/** Looks whether the channel is clear, and if so sends what was loaded: the first preamble symbol
 *  comes aTurnaroundTime, 12 symbol periods, later at the latest. The receiver is on afterwards.
 *  @retval false  the channel is in use, also by this node's own ack, or by a frame that it is about
 *                 to acknowledge: nothing was done */
WM_NODISCARD bool wm_port_csma_send(void);

/** The application's: the frame of wm_csma_send has been sent or given up, and the next may come. It
 *  may call wm_csma_send: the frame is loaded then while the space behind the one before runs, which
 *  is kept before its back-off. Called by wm_csma_receive, for an ack, and by wm_csma_on_alarm. */
void wm_port_csma_done(struct wm_csma *mac, wm_csma_result result);

WM_C_END

#endif
