/* SPDX-License-Identifier: BSD-3-Clause */
/** @file port/tsch_ahead_port.h
 *  What work ahead of the slot (tsch_ahead.h) asks of a board besides port/tsch_port.h: the octets of a
 *  frame while it arrives, and a transmit buffer that takes octets while its frame leaves. */
#ifndef WARDMOTE_PORT_TSCH_AHEAD_PORT_H
#define WARDMOTE_PORT_TSCH_AHEAD_PORT_H

#include <stdbool.h>
#include <stdint.h>
#include <wardmote/cipher.h>
#include <wardmote/ieee802154.h>
#include <wardmote/linkage.h>

WM_C_BEGIN

/** Takes octets of the frame that arrives, or has arrived, out of the radio: its length octet first,
 *  then the PSDU with what stands for its FCS. It may take none while there are fewer than `most`. In
 *  one of the calls in a row that take none the CPU may sleep, but for no longer than `most` octets
 *  take, and two more; in those behind it, it takes what there is.
 *  @param most  octets that are wanted, at least 1; all of them belong to the frame
 *  @return      octets taken, 0..`most` */
wm_psdu_len wm_port_arrived(uint8_t *to, wm_psdu_len most);

/** Receiver off, after the end of a frame whose octets may still be in the radio. Its end, if it has
 *  not been reported yet, is reported all the same. */
void wm_port_receiver_off(void);

/** Drops what is left of a received frame. */
void wm_port_drop(void);

/** Whether the FCS of a frame was right, of the octets that stand in its place. */
bool wm_port_fcs_right(const uint8_t fcs[WM_FCS_LEN]);

/** Replaces what the radio will send: length octet `psdu_len` (FCS included), then `head` and `tail`,
 *  1 or more and 0 or more octets. If that is less than `psdu_len` without FCS, the rest has to come
 *  by wm_port_load_more before the radio sends it. */
void wm_port_load(wm_psdu_len psdu_len, const uint8_t *head, wm_psdu_len head_len,
                  const uint8_t *tail, wm_psdu_len tail_len);

/** Appends `len` octets, at least 1, to what is loaded, also while it is sent.
 *  @retval false  they came too late: the radio has given the frame up */
bool wm_port_load_more(const uint8_t *from, wm_psdu_len len);

/** The block cipher under the key of a slot, for the next block. */
const wm_cipher *wm_port_cipher(uint8_t key_slot);

WM_C_END

#endif
