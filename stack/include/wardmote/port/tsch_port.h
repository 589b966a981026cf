/* SPDX-License-Identifier: BSD-3-Clause */
/** @file port/tsch_port.h
 *  What the TSCH engine (tsch.h) asks of a board: a clock with one alarm, a radio that
 *  stamps frames, and a strategy that secures and unsecures. Firmware implements it, and so does
 *  a test double on the host. Nothing here is called from an interrupt: the board turns
 *  interrupts into the wm_tsch_on_* calls of tsch.h. */
#ifndef WARDMOTE_PORT_TSCH_PORT_H
#define WARDMOTE_PORT_TSCH_PORT_H

#include <stdbool.h>
#include <stdint.h>
#include <wardmote/link_security.h>
#include <wardmote/linkage.h>
#include <wardmote/tick.h>

WM_C_BEGIN

struct wm_tsch;

/* Clock. Ticks are those of tick.h, modulo 2^16; differences are taken modulo 2^16. */

/** The tick counter now. */
uint16_t wm_port_ticks(void);

/** Arms the alarm for `tick`, less than 2^15 ticks ahead; replaces an earlier one.
 *  @retval false  `tick` is already reached or past: nothing is armed, the deadline is missed */
WM_NODISCARD bool wm_port_alarm(uint16_t tick);

/* Radio. It is off until tuned. Start and end of every frame, sent or received, come back as
 * wm_tsch_on_frame_start / wm_tsch_on_frame_end with the tick at which SFD ended / the last octet
 * ended. */

/** Ticks between wm_port_radio_send and the first preamble symbol, rounded up. Always the same. */
uint8_t wm_port_turnaround(void);

/** Ticks between wm_port_radio_listen and a receiver that hears, rounded up. */
extern const uint8_t wm_port_listen_ticks;

/** Whether the receiver also hears in time where no alarm can be armed before it is to listen:
 *  wm_port_listen_ticks after the tick in which a slot begins, if wm_port_radio_tune and
 *  wm_port_radio_listen follow as soon as the alarm of that tick has gone off, at most 8 us and a
 *  tick later; and one tick more after the tick in which an own frame ended, if the receiver, which
 *  is on then, stays on. false is always right: the receiver then waits for an alarm. */
bool wm_port_listens_at_once(void);

/** Tunes to `channel` (11..26), receiver off, both FIFOs empty. */
void wm_port_radio_tune(uint8_t channel);

/** Receiver on. */
void wm_port_radio_listen(void);

/** Sends what the strategy loaded, from idle or with the receiver on. After the frame the receiver
 *  is on.
 *  @retval WM_ERR_ENGINE  the radio was to secure the frame and did not: nothing of it has left but
 *                         what is sent in clear anyway, and the radio is idle */
WM_NODISCARD wm_status wm_port_radio_send(void);

/** Transmitter and receiver off; a received frame stays in the radio, a loaded one too. */
void wm_port_radio_idle(void);

/* Strategy: software, hybrid or hardware. Key slots are numbers the engine and the strategy agree
 * on. */

#define WM_KEY_SLOTS 2 /**< slot 0: beacons (6TiSCH K1); slot 1: everything else (K2) */

/** Takes a key once; expands it or loads it into the engine of the radio. */
void wm_port_key(uint8_t slot, const uint8_t key[16]);

/** One frame to secure or unsecure. */
typedef struct wm_frame_job {
    uint8_t *frame;  /**< WM_PSDU_MAX octets of room */
    wm_psdu_len len; /**< octets of the frame, FCS excluded */
    uint8_t key_slot;
    wm_profile profile;
    wm_nonce_form nonce_form;
    uint8_t asn[5];         /**< most significant octet first */
    const uint8_t *src_ext; /**< as in wm_security */
    wm_mhr mhr;             /**< of the frame; secure: given, receive: filled */
    wm_frame_map map;       /**< of the frame; secure: given, receive: filled */
} wm_frame_job;

/** sec3, and sec1 from the moment at which the frame is built: leaves the secured frame in the
 *  radio's transmit buffer, so that wm_port_radio_send may follow at once. `job->frame` stays in
 *  clear. A frame with Security Enabled 0, which the engine makes only in a network without security,
 *  is loaded as it is.
 *  @retval WM_OK  loaded */
WM_NODISCARD wm_status wm_port_secure(const wm_frame_job *job);

/** sec2, sec4: takes the received frame out of the radio, parses it, asks wm_tsch_admit about it,
 *  unsecures it. The engine sets `job->frame` only. Before wm_tsch_admit: mhr, map and len (FCS
 *  excluded, MIC included) are filled and the header is in `frame`; of a beacon all of it, because
 *  its ASN may be needed for the nonce. On the first three statuses `job->frame` is in clear and
 *  `job->len` without MIC; on any other the frame is gone and nothing of its plaintext is left.
 *  @retval WM_OK                 admitted, and its MIC is right
 *  @retval WM_NOT_SECURED        admitted with Security Enabled 0
 *  @retval WM_NOT_AUTHENTICATED  admitted and decrypted at level 4, which has no MIC */
WM_NODISCARD wm_status wm_port_receive(struct wm_tsch *tsch, wm_frame_job *job);

/** The application's: writes the `len` octets of payload of the data frame that is being built to
 *  `to`. Called once a data frame, in sec1. Like all that a board does between two events, it takes
 *  less than 2^15 ticks: a clock of 16 bits does not tell a longer time from a shorter one. */
void wm_port_payload(uint8_t *to, wm_psdu_len len);

/* Policy of the board besides the engine's own, such as the tables of the standard
 * (security_procedures.h). A board without one answers WM_OK. */

/** A received frame that the engine admits, in wm_tsch_admit: before its octets meet a key.
 *  @return  WM_OK, or why it is refused */
WM_NODISCARD wm_status wm_port_admits(const struct wm_tsch *tsch, const wm_frame_job *job);

/** A data frame whose header is built: its key has been looked up, its payload is still to come.
 *  @return  WM_OK, or why it is not sent */
WM_NODISCARD wm_status wm_port_builds(const struct wm_tsch *tsch, const wm_frame_job *job);

/* Marks for a logic analyser. The board drives one pin a phase; an instrument takes times from
 * their edges. */

/** Phase that a mark belongs to. */
typedef enum wm_mark {
    WM_MARK_SEC1,
    WM_MARK_SEC2,
    WM_MARK_SEC3,
    WM_MARK_SEC4,
    WM_MARK_SLOT
} wm_mark;

/** A phase begins. */
void wm_port_mark_begin(wm_mark phase);

/** A phase ends. */
void wm_port_mark_end(wm_mark phase);

WM_C_END

#endif
