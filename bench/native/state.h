/* SPDX-License-Identifier: BSD-3-Clause */
/** @file state.h
 *  The PIB of a job, its tables, and the senders that are learned meanwhile. */
#ifndef WARDMOTE_FRAMES_STATE_H
#define WARDMOTE_FRAMES_STATE_H

#include <wardmote/aes128.h>
#include <wardmote/security_procedures.h>
#include "aes128_host.h"
#include "psdu.h"

#define FRAME_TYPES 4

/** A key under any of the ciphers. */
typedef union bound_key {
    wm_cipher cipher;
    frames_host_key host;
    wm_aes128_tab_key tab;
    wm_aes128_fix_key fix;
    wm_aes128_small_key small;
} bound_key;

#define SENDER_PLACES 8192u /* a power of two above FRAMES_SENDERS */

/** The last ASN of a sender under a key. */
typedef struct sender_asn {
    uint64_t asn;
    uint8_t octet[8]; /**< source address */
    uint16_t pan;
    uint8_t mode; /**< of the source address */
    uint8_t key;  /**< 1 + index into `keys`; 0: free */
} sender_asn;

/** Everything the stack's procedures are given. Memory of the caller. */
typedef struct frames_state {
    wm_security_pib pib;
    /** Keys in rounds: first those that come first under their names, then the second, and so on.
     *  The PIB has the keys of one round at a time, so each name is there once. */
    wm_key_descriptor keys[FRAMES_KEYS];
    uint16_t round_at[FRAMES_KEYS + 1]; /**< index of each round's first key, then the end */
    uint8_t rounds, round;
    uint8_t place[FRAMES_KEYS]; /**< of a key in the job */
    wm_key_id_lookup lookups[FRAMES_KEYS];
    wm_key_usage usages[FRAMES_KEYS][FRAME_TYPES];
    bound_key bound[FRAMES_KEYS];
    wm_level_descriptor levels[FRAME_TYPES];
    wm_device_descriptor devices[FRAMES_DEVICES];
    wm_frame_counter device_counters[FRAMES_DEVICES];
    wm_key_device key_devices[FRAMES_KEYS][FRAMES_DEVICES];
    /** counters of zero, to learn whether a frame is right but for its counter */
    wm_key_device lenient[FRAMES_DEVICES];
    wm_frame_counter lenient_counters[FRAMES_DEVICES];
    fcs_tables fcs;
    sender_asn senders[SENDER_PLACES]; /**< found by a hash of all but the ASN */
    uint32_t sender_count;
    /** header of the previous frame: an ack without source address answers it */
    wm_mhr answered;
    bool has_answered;
} frames_state;

/** Fills the PIB and its tables. @return what wm_pib_check says of them */
wm_status state_prepare(frames_state *state, const frames_job *job);

/** Sets what the PIB needs for a frame: ASN and form of the nonce. @return why that is
 *  impossible */
frames_reason state_set_nonce(frames_state *state, const frames_job *job, bool asn_form,
                              const psdu *found, uint64_t number);

/** Gives the PIB the keys of a round. */
void state_use_round(frames_state *state, uint8_t round);

/** Has the procedure ask counters of zero instead of those of the senders, or these again. */
void state_set_lenient(frames_state *state, bool lenient);

/** Whether the frame that the procedure has just admitted in the ASN form is a replay: its sender
 *  has used this ASN or a later one under this key. Remembers the ASN if not. `*watched`: false if
 *  the table is full. */
bool state_is_replay(frames_state *state, const wm_mhr *mhr, uint16_t key, uint64_t asn,
                     bool *watched);

/** Index of the device with this extended address, WM_NO_INDEX if there is none. */
uint16_t state_find_ext(const frames_state *state, const uint8_t ext[8]);

/** Index of the device with this short address in a PAN. */
uint16_t state_find_short(const frames_state *state, uint16_t pan, uint16_t short_addr);

/** A new device with this address, at the end of every key's devices; WM_NO_INDEX: the table is
 *  full. */
uint16_t state_learn(frames_state *state, const uint8_t ext[8], uint16_t pan);

/** Removes the device that was learned last. */
void state_forget_last(frames_state *state);

#endif
