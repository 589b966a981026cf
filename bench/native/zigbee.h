/* SPDX-License-Identifier: BSD-3-Clause */
/** @file zigbee.h
 *  Captures of ZigBee through the stack's NWK and APS security: what `wardmote frame zigbee` calls
 *  from Python (bench/wardmote/frame/zigbee_native.py mirrors the structures).
 *
 *  It reads along, as no node of the network does: every key is tried on every frame that can be
 *  under it, and counters are watched for each key, sender and, end to end, receiver. */
#ifndef WARDMOTE_FRAMES_ZIGBEE_H
#define WARDMOTE_FRAMES_ZIGBEE_H

#include "frames.h"

#define FRAMES_ZIGBEE_KEYS 64u
#define FRAMES_ZIGBEE_SENDERS 8192u
#define FRAMES_ZIGBEE_NODES 4096u
#define FRAMES_ZIGBEE_ROOM 2047u

enum { FRAMES_ZIGBEE_NETWORK = 0, FRAMES_ZIGBEE_LINK = 1 };

/** What became of a frame; each has a sentence in bench/wardmote/frame/zigbee_words.py. */
typedef enum frames_zigbee_reason {
    FRAMES_ZIGBEE_NO_REASON = 0, /**< the status says all */
    FRAMES_ZIGBEE_RECORD = 1,    /**< the record: `record` is a frames_reason */
    FRAMES_ZIGBEE_BAD_FCS = 2,
    FRAMES_ZIGBEE_OTHER = 3, /**< no NWK frame in it: a beacon, an ack, a MAC command */
    FRAMES_ZIGBEE_MAC_SECURED = 4,
    FRAMES_ZIGBEE_NOT_ZIGBEE = 5, /**< data of another protocol, or of another ZigBee */
    FRAMES_ZIGBEE_LEVEL_BITS = 6,
    FRAMES_ZIGBEE_NO_NUMBER = 7,   /**< no network key has the number that the frame says */
    FRAMES_ZIGBEE_NO_KEY = 8,      /**< there is no link key */
    FRAMES_ZIGBEE_WRONG_KEY = 9,   /**< the MIC is right under no key */
    FRAMES_ZIGBEE_REPLAY = 10,     /**< the MIC is right, the counter has been there */
    FRAMES_ZIGBEE_USED_UP = 11,    /**< a counter of all ones */
    FRAMES_ZIGBEE_NO_SOURCE = 12,  /**< who sent it is known to nobody who reads along */
    FRAMES_ZIGBEE_IN_CLEAR = 13,   /**< a command that must not come so */
    FRAMES_ZIGBEE_WRONG_KIND = 14, /**< the MIC is right, but of another kind of key */
    FRAMES_ZIGBEE_FULL = 15        /**< too many senders */
} frames_zigbee_reason;

/** Layers at which a frame was refused, or which it reached. */
enum { FRAMES_ZIGBEE_MAC = 0, FRAMES_ZIGBEE_NWK = 1, FRAMES_ZIGBEE_APS = 2 };

/** A key: given, or carried by a frame of the capture. */
typedef struct frames_zigbee_key {
    uint8_t octets[16];
    uint64_t found_in; /**< number of the frame that carried it, from 1; 0: it was given */
    uint8_t kind;      /**< FRAMES_ZIGBEE_NETWORK or FRAMES_ZIGBEE_LINK */
    uint8_t sequence;  /**< of a network key, unless `any_sequence` */
    uint8_t any_sequence;
    uint8_t carrier; /**< 1 + place of the link key under which it was carried */
    uint8_t spare[4];
} frames_zigbee_key;

/** What the user wants. */
typedef struct frames_zigbee_job {
    frames_job frames;  /**< link type, FCS, length of a PSDU */
    uint8_t level;      /**< of the network, 1..7 */
    uint8_t replays;    /**< counters that have been there are taken */
    uint8_t level_bits; /**< those that are set on the air are ignored */
    uint8_t spare[5];
} frames_zigbee_job;

/** A frame, as far as it could be opened. */
typedef struct frames_zigbee_result {
    int8_t status;  /**< wm_status of the layer */
    uint8_t layer;  /**< the last one that was looked at */
    uint8_t reason; /**< frames_zigbee_reason */
    uint8_t record; /**< frames_reason */
    uint8_t nwk_secured, aps_secured;
    uint8_t nwk_key, aps_key; /**< 1 + place of the key that opened it; 0: none */
    uint8_t nwk_type;         /**< of a NWK frame */
    uint8_t aps_type;         /**< of an APS frame */
    uint8_t sequence;         /**< number of the network key, as the frame says */
    uint8_t key_id;           /**< kind of the key at APS, as the frame says */
    uint8_t command;          /**< of an APS command that was opened, or came in clear; 0: none */
    uint8_t inner;            /**< Tunnel: the command that it carries, opened; 0: none */
    uint8_t found;            /**< 1 + place of the key that this frame carried; 0: none */
    uint8_t has_source;       /**< who secured the NWK frame is known */
    uint16_t pan, src, dst;   /**< NWK addresses */
    uint16_t len;             /**< octets written to `out` */
    uint32_t nwk_counter, aps_counter;
    uint8_t source[8], aps_source[8]; /**< who secured it, most significant octet first */
} frames_zigbee_result;

/** Sum that changes with the layout of the structures here. */
uint64_t frames_zigbee_layout(void);

/** Octets of a state, which must be aligned to 16. It holds keys: call frames_zigbee_wipe. */
uint64_t frames_zigbee_octets(void);

/** Begins without keys. */
void frames_zigbee_begin(void *state, const frames_zigbee_job *job);

/** Adds a key. @return 1 + its place, 0: there is no room */
uint8_t frames_zigbee_add(void *state, const frames_zigbee_key *key);

/** Reads a key back. */
void frames_zigbee_key_at(const void *state, uint8_t place, frames_zigbee_key *key);

/** Octets 16 of the link key of an installation code. @return whether it is one */
uint8_t frames_zigbee_install(const uint8_t *code, uint8_t len, uint8_t *key);

/** Opens one frame, number `number` from 1. `out` has FRAMES_ZIGBEE_ROOM octets: the MAC frame as it
 *  came, from the NWK header on in clear as far as it could be opened, without FCS. */
void frames_zigbee_open(void *state, const uint8_t *file, const frames_record *record,
                        uint64_t number, frames_zigbee_result *result, uint8_t *out);

/** Overwrites a state. */
void frames_zigbee_wipe(void *state);

#endif
