/* SPDX-License-Identifier: BSD-3-Clause */
/** @file cc2420.h
 *  CC2420 radio: power, frames, security engine (SWRS041B). The board's cc2420_pins.h says where it
 *  is connected. Frames carry no FCS here: the radio makes it, and says of a received one whether
 *  it was right.
 *
 *  The security engine keeps two keys, 0 and 1. Octet strings are given in the order of the
 *  standards. Where the radio wants the least significant octet first (keys, nonces), the driver
 *  reverses them. */
#ifndef DRIVER_CC2420_H
#define DRIVER_CC2420_H

#include <stdbool.h>
#include <stdint.h>
#include <wardmote/status.h>

#define CC2420_CHANNEL_FIRST 11
#define CC2420_CHANNEL_LAST 26
#define CC2420_PSDU_MAX 127 /**< FCS included */
#define CC2420_FCS_LEN 2

/** Regulator, reset, oscillator (1.5 ms), registers. Timer ticks must run. Afterwards: idle,
 *  channel 11.
 *  @retval false  no CC2420 answers or its oscillator does not become stable */
bool cc2420_start(void);

/** Oscillator off: the radio takes 20 uA instead of 426 and keeps registers, keys and FIFOs. It must
 *  be idle. Until cc2420_powered nothing else here may be called but cc2420_power_up. */
void cc2420_power_down(void);

/** Oscillator on; it is stable after 0.86 ms, typically. */
void cc2420_power_up(void);

/** Waits until the oscillator is stable, for 8.6 ms at most.
 *  @retval false  it does not start */
WM_NODISCARD bool cc2420_powered(void);

/** From now on frames begin CC2420_TURNAROUND_SHORT symbol periods of 16 us after the strobe that
 *  sends. cc2420_start sets CC2420_TURNAROUND. */
void cc2420_turn_quickly(void);
#define CC2420_TURNAROUND 12
#define CC2420_TURNAROUND_SHORT 8

/** Transmitter and receiver off, `channel` (11..26) set, TXFIFO empty. */
void cc2420_tune(uint8_t channel);

/** From now on the radio drops frames that are neither for the node `address` of `pan` nor
 *  broadcast. With `acknowledge` it acknowledges data and command frames for that node that ask for
 *  it, 12 symbol periods after their end. */
void cc2420_recognise(uint16_t pan, uint16_t address, bool acknowledge);

/** Empties RXFIFO, then receiver on. */
void cc2420_listen(void);

/** Sends the frame in TXFIFO, in-line security first if it is set up: the strobe takes 16 cycles,
 *  the first preamble symbol comes 12 symbol periods (192 us) after it, or 8 (128 us). RXFIFO is
 *  emptied; after the frame the receiver is on. cc2420_sent is to follow at once. */
void cc2420_send(void);

/** Sends the frame in TXFIFO if the channel is clear, and leaves RXFIFO alone. The frame stays in
 *  TXFIFO.
 *  @retval false  the channel is in use, or the radio sends already: nothing was done */
WM_NODISCARD bool cc2420_send_clear(void);

/** Waits until the engine has secured the frame that is being sent, 0.3 ms at most.
 *  @retval false  the engine failed: the frame is cut off before its first octet that may not be
 *                 sent in clear, and the radio is off */
WM_NODISCARD bool cc2420_sent(void);

void cc2420_idle(void);

/** Empties RXFIFO. */
void cc2420_flush_rx(void);

/** Empties RXFIFO and overwrites the memory behind it. */
void cc2420_wipe_rx(void);

/** Replaces the contents of TXFIFO: length octet `psdu_len` (all that goes on air, FCS included),
 *  then `head_len` octets (at least 1) of `head` and `tail_len` (0 or more) of `tail`. In-line
 *  security of TXFIFO is off. */
void cc2420_load(uint8_t psdu_len, const uint8_t *head, uint8_t head_len, const uint8_t *tail,
                 uint8_t tail_len);

/** Next octet of RXFIFO: at the start of a frame, its length. */
uint8_t cc2420_read_octet(void);

/** Next `len` octets (1..127) of RXFIFO. */
void cc2420_read(uint8_t *to, uint8_t len);

/* The first frame since cc2420_listen or cc2420_send begins at the first octet of the memory behind
 * RXFIFO, and can be read there. That takes nothing out of RXFIFO, so it may be done before
 * cc2420_decrypt. */

/** Length octet of that frame, and its first `len` octets (1..127). */
uint8_t cc2420_peek(uint8_t *to, uint8_t len);

/** `len` octets (1..127) of that frame from octet `from` on. */
void cc2420_peek_from(uint8_t from, uint8_t *to, uint8_t len);

/** The two octets in place of the FCS: RSSI, then FCS right | correlation. */
#define CC2420_FCS_RIGHT 0x80u

/** Loads key 0 or 1 (16 octets). */
void cc2420_key(uint8_t number, const uint8_t key[16]);

/** Encrypts a block, at an even address, in place with key 0 or 1 (AES-128, stand-alone). */
void cc2420_aes(uint8_t number, uint8_t block[16]);

/** Whether the engine has failed at a block since this was last asked. */
bool cc2420_aes_failed(void);

/** One in-line operation. */
typedef struct cc2420_inline {
    uint8_t key; /**< 0 or 1 */
    /** octets before the first encrypted one; with a MIC they are authenticated */
    uint8_t clear_len;
    uint8_t mic_len;      /**< 0: CTR only; 4, 8 or 16: CCM */
    const uint8_t *nonce; /**< 13 octets at an even address, as in RFC 3610 with L = 2 */
} cc2420_inline;

/** As cc2420_load, but the frame is secured when it is sent: `frame` (`len` octets) in clear, MIC
 *  appended. */
void cc2420_load_secured(const cc2420_inline *op, uint8_t psdu_len, const uint8_t *frame,
                         uint8_t len);

/** The same in two parts. The first: length octet, the `len` octets of `frame` that are known, nonce and
 *  mode. cc2420_load_keep says that TXFIFO is to be kept. */
void cc2420_load_begin(const cc2420_inline *op, uint8_t psdu_len, const uint8_t *frame,
                       uint8_t len);

/** The second: octets from `have` on of `frame`, which has `len`. */
void cc2420_load_end(const cc2420_inline *op, const uint8_t *frame, uint8_t len, uint8_t have);

/** Whether the next cc2420_tune is to leave TXFIFO as it is. */
void cc2420_load_keep(bool begun);

/** Decrypts and checks the frame at the head of RXFIFO in place, and waits for the end. The frame
 *  has `len` octets with its MIC; all octets read so far were only peeked. `have` octets of it were
 *  peeked to `frame`.
 *  @retval false  the engine does not come to an end: it failed, or the frame is not complete */
bool cc2420_decrypt(const cc2420_inline *op, uint8_t *frame, uint8_t have, uint8_t len);

/** What came of it; `frame` is that frame: its encrypted octets, and the last one, were
 *  peeked after cc2420_decrypt.
 *  @retval WM_ERR_SECURITY  the MIC is wrong
 *  @retval WM_ERR_ENGINE    the engine has done nothing */
WM_NODISCARD wm_status cc2420_decrypted(const cc2420_inline *op, const uint8_t *frame, uint8_t len);

/* The same in two parts, for a frame that still arrives: the engine works on each block as it comes. Only
 * for operations with a MIC. */

/** Before cc2420_decrypt_begin, while there is time: marks the engine's memory. */
void cc2420_decrypt_mark(void);

/** Begins to decrypt and check the frame at the head of RXFIFO. Its clear octets may have been read. */
void cc2420_decrypt_begin(const cc2420_inline *op);

/** Waits for the end of that, and peeks the last octet of the MIC and the two in place of the FCS:
 *  `frame[len - 1]` and those behind. The frame has `len` octets with its MIC, and has arrived.
 *  @retval WM_OK            the MIC is right
 *  @retval WM_ERR_SECURITY  the MIC is wrong
 *  @retval WM_ERR_ENGINE    the engine has done nothing, or does not come to an end */
WM_NODISCARD wm_status cc2420_decrypt_end(uint8_t *frame, uint8_t len);

/** Whatever the engine does is forgotten. */
void cc2420_decrypt_stop(void);

#endif
