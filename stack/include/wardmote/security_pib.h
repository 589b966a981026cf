/* SPDX-License-Identifier: BSD-3-Clause */
/** @file security_pib.h
 *  The security PIB of IEEE 802.15.4 as memory that the caller owns. A table is a pointer and a
 *  count; it is const (flash) where the procedures never write. Names are those of 2015 9.5, with
 *  the names of 2006 and 2011 in brackets. security_procedures.h says what is done with it, and
 *  docs/what-does-a-table-entry-cost.md what an entry costs.
 *
 *  Addresses: extended ones are 8 octets, most significant first, as in wm_addr; short ones are
 *  numbers. */
#ifndef WARDMOTE_SECURITY_PIB_H
#define WARDMOTE_SECURITY_PIB_H

#include <stdbool.h>
#include <stdint.h>
#include <wardmote/cipher.h>
#include <wardmote/counter_store.h>
#include <wardmote/link_security.h>
#include <wardmote/linkage.h>
#include <wardmote/status.h>

WM_C_BEGIN

/** Edition whose procedures hold, the newest and strictest first. */
typedef enum wm_edition {
    WM_EDITION_2015 = 0, /**< counters by key and device, levels by their set alone */
    /** version 2 frames, IEs, Enh-Acks, TSCH with the ASN as 5-octet frame counter */
    WM_EDITION_2012E = 1,
    WM_EDITION_2011 = 2, /**< levels by AllowedSecurityLevels */
    WM_EDITION_2006 = 3  /**< levels by SecurityMinimum, one incoming counter a device */
    /** no level 4; counters by key and by key and device; TSCH nonce of short sources */
} wm_edition;

#define WM_NO_INDEX 0xFFFFu /**< no entry of a table */
/** The slot of a counter: slot `number` of the PIB's store. 0, as in a member that was never set, is
 *  no slot: such a counter admits and secures nothing. */
#define WM_SLOT(number) ((uint8_t)((number) + 1u))
/** The slot of a counter that lives in RAM alone. After a restart under the same key it repeats
 *  nonces and takes replays: only for a key that no restart outlives. */
#define WM_SLOT_VOLATILE 0xFFu
#define WM_ANY_COMMAND 0xFFu /**< command_id of a descriptor that holds for every command */
#define WM_ALL_LEVELS 0xFFu  /**< set of all security levels */
#define WM_LEVEL_SET(level) (1u << (level)) /**< set of one security level; join with | */
#define WM_NO_SHORT_ADDR 0xFFFFu /**< short address of a device that has none; 0xFFFE likewise */

/** A frame counter. Outgoing: the next to be used. Incoming: the least that is still accepted.
 *  0xFFFFFFFF: used up. */
typedef struct wm_frame_counter {
    uint32_t next;
    /** WM_SLOT of the PIB's store, which keeps it, one counter per slot; or WM_SLOT_VOLATILE */
    uint8_t slot;
} wm_frame_counter;

/** secKeyIdLookupDescriptor: one way in which a frame may name a key. */
typedef struct wm_key_id_lookup {
    uint8_t key_id_mode; /**< 0..3 */
    uint8_t key_index;   /**< modes 1..3: 1..255 */
    uint8_t addr_mode;   /**< mode 0: wm_addr_mode of the other device */
    /** As on air. Mode 1: 8 octets, found while equal to default_key_source; 2: 4 octets; 3: 8
     *  octets. Mode 0: address of the other device, most significant octet first, 2 or 8 octets. */
    uint8_t key_source[8];
    /** mode 0: PAN identifier of the other device; in 2006 of short addresses only */
    uint16_t pan;
} wm_key_id_lookup;

/** secKeyUsageDescriptor: a kind of frame that a key may secure. */
typedef struct wm_key_usage {
    uint8_t frame_type; /**< wm_frame_type */
    uint8_t command_id; /**< command frames: identifier, or WM_ANY_COMMAND */
} wm_key_usage;

/** A device under a key (RAM): 2015 an entry of secKeyDeviceFrameCounterList [before:
 *  KeyDeviceDescriptor]. */
typedef struct wm_key_device {
    /** 2015: incoming, of this key and device; before: of level 4, never in the store, so that its
     *  slot has no meaning */
    wm_frame_counter counter;
    uint16_t device; /**< index into the device table [DeviceDescriptorHandle] */
    /** [UniqueDevice] a link key, which one device has: its frames need not name it by a source
     *  address */
    bool unique;
    /** [Blacklisted] set by the incoming procedure when the device's counter is used up */
    bool blacklisted;
} wm_key_device;

/** secKeyDescriptor. const: what is written is behind its pointers. */
typedef struct wm_key_descriptor {
    const wm_key_id_lookup *id_lookup;
    const wm_key_usage *usage;
    wm_key_device *devices; /**< devices that may use the key */
    /** 2015: secKeyFrameCounter, outgoing; NULL: secFrameCounterPerKey is FALSE */
    wm_frame_counter *counter;
    const wm_cipher *cipher; /**< a key's, of AES-128: `&key.cipher` */
    uint16_t id_lookup_count, usage_count, device_count;
    /** WM_NONCE_ASN only: admits senders that no table knows, but not this node's extended address:
     *  what it sent is not taken when somebody sends it back. A short address of its own is not seen.
     *  Departs: the standard wants a descriptor of each. A network with one key keeps no replay state
     *  that would need it (RFC 8180). */
    bool any_device;
} wm_key_descriptor;

/** secDeviceDescriptor. const. A device may have one for each PAN in which it has a short address;
 *  its incoming counter is that of the first, also in a key's list. */
typedef struct wm_device_descriptor {
    uint16_t pan;
    uint16_t short_addr; /**< or WM_NO_SHORT_ADDR */
    uint8_t ext_addr[8];
    /** secExempt: may send unsecured frames where a level descriptor has device_override */
    bool exempt;
} wm_device_descriptor;

/** secSecurityLevelDescriptor: what a kind of frame must have. const. The first entry that fits a
 *  frame is taken. */
typedef struct wm_level_descriptor {
    uint8_t frame_type; /**< wm_frame_type */
    uint8_t command_id; /**< command frames: identifier, or WM_ANY_COMMAND */
    /** secAllowedSecurityLevels, a WM_LEVEL_SET. 2006: not looked at; 2011 and 2012e: empty means
     *  that `minimum` holds.
     * */
    uint8_t allowed_levels;
    /** [SecurityMinimum] before 2015: least encryption and least MIC, compared separately */
    uint8_t minimum;
    /** `minimum` may be reached without a MIC: by frames in clear and of level 4, which anybody can
     *  write */
    bool minimum_admits_unauthenticated;
    /** secDeviceOverrideSecurityMinimum: exempt devices may send at level 0 */
    bool device_override;
} wm_level_descriptor;

/** Kind of an Information Element that a policy is about. */
typedef enum wm_ie_kind {
    WM_IE_KIND_HEADER = 0,
    WM_IE_KIND_PAYLOAD = 1,
    WM_IE_KIND_NESTED_SHORT = 2, /**< in an MLME payload IE */
    WM_IE_KIND_NESTED_LONG = 3
} wm_ie_kind;

/** secIeUsagePolicy: levels at which an IE is accepted. const. The first entry that fits an IE is
 *  taken. */
typedef struct wm_ie_usage {
    uint8_t kind; /**< wm_ie_kind */
    uint8_t id;   /**< Element, Group or Sub-ID */
    /** WM_LEVEL_SET of the frame that carries it, 0 among them if it may come unsecured */
    uint8_t allowed_levels;
} wm_ie_usage;

/** The PIB. All of it may be written between two calls of a procedure. But a key is for one PIB, one
 *  edition and one form of nonce: with another its nonces come again (SECURITY.md). Members that are zero mean the
 *  strictest: edition 2015, security enabled, no key, no level allowed, no slot for any counter. */
typedef struct wm_security_pib {
    const wm_key_descriptor *keys;
    const wm_device_descriptor *devices;
    /** before 2015: [FrameCounter], incoming, one a device in its table's order */
    wm_frame_counter *device_counters;
    const wm_level_descriptor *levels;
    /** 2012e, 2015. IEs that no entry names are accepted at every level */
    const wm_ie_usage *ie_usage;
    wm_counter_store *store;  /**< NULL: every slot must be WM_SLOT_VOLATILE */
    wm_frame_counter counter; /**< secFrameCounter, outgoing */
    uint16_t key_count, device_count, level_count, ie_usage_count;
    uint16_t pan; /**< macPanId, for frames that carry none */
    /** secPanCoordShortAddress; 0xFFFE or 0xFFFF: the extended one holds */
    uint16_t pan_coord_short;
    uint8_t pan_coord_ext[8]; /**< secPanCoordExtAddress */
    /** macExtendedAddress: of the nonce of own frames whose source is short or absent */
    uint8_t ext_addr[8];
    uint8_t default_key_source[8]; /**< secDefaultKeySource, as on air */
    /** WM_NONCE_ASN: of the current slot, most significant octet first; wm_pib_set_asn */
    uint8_t asn[5];
    /** latest ASN that wm_incoming_join believes, most significant octet first. All zero: no beacon
     *  is believed. All ones: every beacon is; see there for the risk */
    uint8_t join_asn_max[5];
    /** WM_NONCE_ASN: WM_SLOT of the store for the ASN reached, in steps of 256 slots, or
     *  WM_SLOT_VOLATILE */
    uint8_t asn_slot;
    uint8_t edition;    /**< wm_edition */
    uint8_t nonce_form; /**< wm_nonce_form: WM_NONCE_ASN is TSCH mode, from 2012e on */
    /** secEnabled is FALSE: nothing is secured, and every frame in clear is admitted */
    bool security_disabled;
    /** the procedures': one more than the latest step of 256 slots that the store was made to keep */
    uint32_t asn_kept;
    bool asn_used; /**< a frame of ours was secured in this slot: no second nonce with this ASN */
} wm_security_pib;

/** Checks that the tables are consistent. For start-up and tests; the procedures trust what this
 *  accepts.
 *  @retval WM_ERR_PARAM  a count without a table, an index past the device table, a value out of
 *                        its range, KeyIndex 0, a key that was not made, a form that the edition
 *                        does not have, no counters where devices need them, one extended address
 *                        in two device descriptors of a PAN, one key (by its octets) with two
 *                        outgoing counters
 *  @retval WM_ERR_STORAGE  a counter that this form and edition use has no slot, one that the store
 *                          does not have, or the slot of another counter */
WM_NODISCARD wm_status wm_pib_check(const wm_security_pib *pib);

/** After a restart, whenever the store was opened anew, and when a PIB is made anew: moves every
 *  counter that has a slot to the store's limit, above which no frame has been; a counter that is
 *  further stays. It does the same with the ASN: below it the node secures nothing and joins by no
 *  beacon. Until then the procedures answer WM_ERR_STORAGE to what may have been used. Without a
 *  store nothing changes. With a store that could not be opened, all counters are used up. */
void wm_pib_restore(wm_security_pib *pib);

/** Time goes on: the ASN of a later slot.
 *  @retval WM_ERR_COUNTER  `asn` is less than the current one, nothing changed: an earlier slot
 *                          would bring old nonces back. The same ASN again changes nothing. */
WM_NODISCARD wm_status wm_pib_set_asn(wm_security_pib *pib, const uint8_t asn[5]);

/* 6TiSCH minimal (RFC 8180): K1 authenticates beacons at MIC-32, K2 secures data, Enh-Acks and
 * commands at ENC-MIC-32, both found by KeyIdMode 1. Everything in clear is refused. */

/** "6TiSCH minimal15": public, tells networks of this kind apart */
extern const uint8_t wm_minimal_k1[16];
#define WM_MINIMAL_K1_INDEX 1
#define WM_MINIMAL_K2_INDEX 2

/** Key table of a minimal node; both are any_device. */
typedef struct wm_minimal_keys {
    wm_key_descriptor key[2]; /**< K1, K2 */
} wm_minimal_keys;

/** Fills `pib` for 2015 in TSCH mode with the tables of RFC 8180 and no devices, and restores its
 *  ASN. `k1` and `k2` are of keys of AES-128, which must outlive the PIB, as must `keys` and
 *  `store`. `store` is open; its slot `asn_slot`, a WM_SLOT, is for the ASN alone. Without it a
 *  recorded beacon would bring old nonces back after a restart. Caller: addresses, PAN and
 *  join_asn_max afterwards.
 *  @retval WM_ERR_PARAM    `keys`, `k1`, `k2` or `store` is NULL, or a key was not made
 *  @retval WM_ERR_STORAGE  `asn_slot` is no slot of the store
 *  On an error `pib` is all zero, which secures and admits nothing. */
WM_NODISCARD wm_status wm_pib_minimal(wm_security_pib *pib, wm_minimal_keys *keys,
                                      const wm_cipher *k1, const wm_cipher *k2,
                                      wm_counter_store *store, uint8_t asn_slot);

WM_C_END

#endif
