/* SPDX-License-Identifier: BSD-3-Clause */
/** @file security_tables.h
 *  What the files of the security procedures share.
 *
 *    security_procedures.c  what both procedures share: nonce, counters, parameters of an Enh-Ack
 *    security_lookup.c      key and device descriptors
 *    security_policy.c      levels, key usage, IEs
 *    security_outgoing.c    the outgoing procedure
 *    security_incoming.c    the incoming procedure: of any frame, of an ack, of a joining beacon
 *    security_ash.c         putting an ASH into a frame and taking it out
 *    security_pib.c         checking and restoring a PIB; its ASN
 *    security_slots.c       checking that each counter in use has a slot of its own
 *    security_minimal.c     RFC 8180 */
#ifndef WM_LINK_SECURITY_TABLES_H
#define WM_LINK_SECURITY_TABLES_H

#include <wardmote/security_procedures.h>

/** The sender or the receiver of a frame, with what the frame does not say filled in. */
typedef struct wm_station {
    wm_addr addr; /**< short or extended */
    uint16_t pan;
    bool assumed; /**< neither the frame nor what it answers says so: the PAN coordinator */
} wm_station;

/** Source or destination of a frame; `implied` stands in for an absent address, the PAN coordinator
 *  if it is NULL. */
void wm_station_source(const wm_security_pib *pib, const wm_mhr *mhr, const wm_station *implied,
                       wm_station *station);
void wm_station_destination(const wm_security_pib *pib, const wm_mhr *mhr, wm_station *station);

/** KeyDescriptor lookup (2011 7.2.2, 2015 9.2.3): first key that matches the identifier. `other` is
 *  the node that shares it, for KeyIdMode 0. @return index, or WM_NO_INDEX */
uint16_t wm_key_lookup(const wm_security_pib *pib, uint8_t key_id_mode, const uint8_t *key_source,
                       uint8_t key_index, const wm_station *other);

/** First device of the table at this address, or WM_NO_INDEX. */
uint16_t wm_device_lookup(const wm_security_pib *pib, const wm_station *station);

/** The sender of a secured frame, as far as the procedures must know it. */
typedef struct wm_sender {
    uint16_t device;           /**< index into the device table, or WM_NO_INDEX */
    const uint8_t *ext_addr;   /**< NULL: not known */
    wm_frame_counter *counter; /**< incoming; NULL with WM_NONCE_ASN */
    wm_key_device *entry;      /**< of the key's list; NULL: none */
} wm_sender;

/** Device lookup under a key. `station` outlives `sender`.
 *  @retval WM_ERR_UNAVAILABLE_DEVICE  may not use this key */
WM_NODISCARD wm_status wm_sender_lookup(const wm_security_pib *pib, const wm_key_descriptor *key,
                                        const wm_station *station, wm_sender *sender);

/** What the form of the nonce wants, with the frame's header bent for it: see wm_nonce_view. */
typedef struct wm_header_saved {
    uint8_t src_mode;
    bool src_pan_present;
    uint16_t src_pan;
} wm_header_saved;

/** Fills `mhr` for wm_frame_nonce. 2012e puts the extended address of a short source into an ASN
 *  nonce; 2015 puts its PAN identifier there, even if the frame carries none. wm_nonce_unview
 *  undoes this. */
wm_header_saved wm_nonce_view(const wm_security_pib *pib, wm_mhr *mhr);
void wm_nonce_unview(wm_mhr *mhr, wm_header_saved saved);

/** Rules that the single-frame layer goes by. */
wm_profile wm_profile_of(const wm_security_pib *pib);

/** Makes the store keep that `counter`, which was restored from it, moves to `next`.
 *  @retval WM_ERR_STORAGE  it does not */
WM_NODISCARD wm_status wm_counter_keep(const wm_security_pib *pib, const wm_frame_counter *counter,
                                       uint32_t next);

/** Makes the store keep that a nonce with this ASN was used: after a restart the node begins in a
 *  later step of 256 slots.
 *  @retval WM_ERR_STORAGE  it does not, or the PIB was not restored from it */
WM_NODISCARD wm_status wm_asn_keep(wm_security_pib *pib, const uint8_t asn[5]);

/** No slot can have this ASN: it secures nothing. */
static inline bool wm_asn_used_up(const uint8_t asn[5])
{
    return (asn[0] & asn[1] & asn[2] & asn[3] & asn[4]) == 0xFF;
}

/** Whether each counter that form and edition of the PIB use names a slot of its own, or says that
 *  it is volatile.
 *  @retval WM_ERR_STORAGE  one does not */
WM_NODISCARD wm_status wm_slots_check(const wm_security_pib *pib);

#define WM_COMMAND_UNKNOWN 0x100u /**< a command identifier that is still encrypted */

typedef enum wm_level_verdict {
    WM_LEVEL_NO_DESCRIPTOR,
    WM_LEVEL_FAILED,
    WM_LEVEL_CONDITIONALLY_PASSED, /**< if the device is exempt */
    WM_LEVEL_PASSED
} wm_level_verdict;

/** Incoming security level checking (2011 7.2.6, 2015 9.2.7). With an unknown command: the best any
 *  command could get. */
wm_level_verdict wm_level_check(const wm_security_pib *pib, uint8_t frame_type, uint16_t command_id,
                                uint8_t level);

/** Incoming key usage policy checking (2011 7.2.7, 2015 9.2.9). With an unknown command: may any
 *  command use the key? */
bool wm_usage_check(const wm_key_descriptor *key, uint8_t frame_type, uint16_t command_id);

/** Walks over header and payload IEs of a frame in clear that ends at `end`, and finds the
 *  payload behind them (of a command: its identifier).
 *  @param pib  whose IE policy holds for a frame at `level`; NULL: only look for the payload
 *  @retval WM_ERR_MALFORMED             an IE passes the end
 *  @retval WM_ERR_IMPROPER_IE_SECURITY  policy */
WM_NODISCARD wm_status wm_ies_check(const wm_security_pib *pib, uint8_t level, const uint8_t *frame,
                                    const wm_mhr *mhr, const wm_frame_map *map, wm_psdu_len end,
                                    wm_psdu_len *payload);

/** Does a list of payload IEs begin at map->open? */
bool wm_payload_ies_follow(const uint8_t *frame, const wm_mhr *mhr, const wm_frame_map *map);

#endif
