/* SPDX-License-Identifier: BSD-3-Clause */
/** @file ieee802154.h
 *  IEEE 802.15.4 MAC frames: the MAC header (MHR) as values, and the boundaries of a frame's
 *  parts. A frame here is a PSDU without its FCS: radios make and check the FCS
 *  themselves. */
#ifndef WARDMOTE_IEEE802154_H
#define WARDMOTE_IEEE802154_H

#include <stdbool.h>
#include <stdint.h>
#include <wardmote/linkage.h>
#include <wardmote/status.h>

/** aMaxPhyPacketSize, FCS included: 127..2047, chosen when the stack and what includes this header
 *  are built (`-DWM_PSDU_MAX=2047`), the same for both. 127 holds for most PHYs, 2047 for those of
 *  SUN, TVWS and RCC (IEEE 802.15.4-2015 clause 11). */
#ifndef WM_PSDU_MAX
#define WM_PSDU_MAX 127
#endif

/* At 127 a length has 8 bits, so that the choice costs a small mote nothing. */
#if WM_PSDU_MAX == 127
typedef uint8_t wm_psdu_len; /**< octets of a frame, and offsets in it */
#define WM_FCS_USUAL 2
#elif WM_PSDU_MAX > 127 && WM_PSDU_MAX <= 2047
typedef uint16_t wm_psdu_len; /**< octets of a frame, and offsets in it */
#define WM_FCS_USUAL 4
#else
#error "WM_PSDU_MAX: 127 to 2047 octets are possible"
#endif

/** Octets of the FCS: 4 with the PHYs whose PSDU may have 2047 octets, otherwise 2 (IEEE
 *  802.15.4-2015 7.2.10). A SUN PHY can also announce an FCS of 2 octets: `-DWM_FCS_LEN=2`. */
#ifndef WM_FCS_LEN
#define WM_FCS_LEN WM_FCS_USUAL
#endif
#include <wardmote/psdu_names.h> /* functions for frames of other lengths have other names */

WM_C_BEGIN

#define WM_FRAME_MAX (WM_PSDU_MAX - WM_FCS_LEN) /**< octets of a frame as handled here */
/** Auxiliary Security Header: control 1, counter 4, key identifier 9 */
#define WM_ASH_MAX 14

/** Frame Type (IEEE 802.15.4-2015 7.2.1.1). */
typedef enum wm_frame_type {
    WM_FRAME_BEACON = 0,
    WM_FRAME_DATA = 1,
    WM_FRAME_ACK = 2,
    WM_FRAME_COMMAND = 3
} wm_frame_type;

/** Frame Version (7.2.1.9). */
typedef enum wm_frame_version {
    WM_VERSION_2003 = 0,
    WM_VERSION_2006 = 1,
    WM_VERSION_2015 = 2
} wm_frame_version;

/** Addressing mode of a destination or a source (7.2.1.8, 7.2.1.10). */
typedef enum wm_addr_mode { WM_ADDR_NONE = 0, WM_ADDR_SHORT = 2, WM_ADDR_EXT = 3 } wm_addr_mode;

/** One address. `octet` holds it most significant octet first: 8 octets when extended (EUI-64 as
 *  printed on the device), 2 when short, none otherwise. */
typedef struct wm_addr {
    uint8_t mode; /**< wm_addr_mode */
    uint8_t octet[8];
} wm_addr;

/** Auxiliary Security Header (IEEE 802.15.4-2015 9.4). */
typedef struct wm_ash {
    uint8_t level;           /**< 0..7 */
    uint8_t key_id_mode;     /**< KeyIdMode 0..3 */
    bool counter_suppressed; /**< bit 5: no Frame Counter field */
    bool asn_in_nonce;       /**< bit 6: the nonce carries the ASN */
    uint32_t frame_counter;  /**< present unless suppressed */
    uint8_t key_source[8];   /**< as on air; 4 octets with mode 2, 8 with mode 3 */
    uint8_t key_index;       /**< 1..255 with modes 1..3 */
} wm_ash;

/** MAC header as values, up to and including the Auxiliary Security Header. */
typedef struct wm_mhr {
    uint8_t type;    /**< wm_frame_type */
    uint8_t version; /**< wm_frame_version */
    bool security_enabled, frame_pending, ack_request, pan_id_compression, seq_suppressed,
        ie_present;
    uint8_t seq; /**< meaningful unless seq_suppressed */
    /** follows from modes, compression and version: parse fills it, build derives it */
    bool dst_pan_present;
    bool src_pan_present; /**< likewise */
    uint16_t dst_pan;     /**< 0 where the frame has none */
    uint16_t src_pan;     /**< an elided one is the destination's */
    wm_addr dst, src;
    wm_ash ash; /**< meaningful when security_enabled */
} wm_mhr;

/** Where the parts of a parsed frame begin; all offsets from the first octet of the frame. */
typedef struct wm_frame_map {
    wm_psdu_len ash;       /**< of the ASH, = end of addressing */
    wm_psdu_len header_ie; /**< of the first header IE, = end of the ASH */
    wm_psdu_len open;      /**< of the open payload: after header IEs and their termination */
    /** of what levels 4..7 encrypt; before it a-data, from it m-data */
    wm_psdu_len private_payload;
} wm_frame_map;

/** Reads MHR and boundaries of a frame as it is on the air: `len` octets, FCS excluded; when
 *  Security Enabled is set its last octets are the MIC, which belongs to no IE list and no payload.
 *  Every length is checked before it is used. Where the frame has no header IEs, nothing behind the
 *  ASH is read (beacons and commands of versions 0 and 1: nothing behind the open payload), so
 *  those octets need not be there yet; `len` must be final all the same. Reserved bit 7 of the FCF
 *  and of the Security Control field is ignored, as the standard asks for reserved bits.
 *  @retval WM_ERR_MALFORMED          too short for its own fields or for its MIC, reserved frame
 *                                    type, version, addressing mode or KeyIndex 0, a bit that its
 *                                    version does not define, IE list past the end
 *  @retval WM_ERR_FRAME_TOO_LONG     `len` over WM_FRAME_MAX
 *  @retval WM_ERR_UNSUPPORTED_LEGACY Security Enabled in version 0: there is no ASH to read
 *  @retval WM_ERR_NOT_FOR_US         multipurpose, fragment or extended frame: their FCF is another
 *                                    one */
WM_NODISCARD wm_status wm_frame_parse(const uint8_t *frame, wm_psdu_len len, wm_mhr *mhr,
                                      wm_frame_map *map);

/** The same for a frame in clear: no MIC, also when Security Enabled is set (not secured yet, or
 *  unsecured again). */
WM_NODISCARD wm_status wm_frame_parse_clear(const uint8_t *frame, wm_psdu_len len, wm_mhr *mhr,
                                            wm_frame_map *map);

/** Writes the MHR (through the ASH) into `frame` of `size` octets and its length into `len`.
 *  @retval WM_ERR_PARAM           values that no header can express
 *  @retval WM_ERR_FRAME_TOO_LONG  `size` too small; nothing written */
WM_NODISCARD wm_status wm_mhr_build(const wm_mhr *mhr, uint8_t *frame, wm_psdu_len size,
                                    wm_psdu_len *len);

/** Octets of FCF, sequence number and addressing fields, computed from the FCF alone. A receiver
 *  that reads a frame piece by piece reads this much before the ASH. 0: wm_frame_parse refuses this
 *  FCF. */
uint8_t wm_frame_addressing_len(const uint8_t fcf[2]);

/** Octets of the ASH that `ash` describes, 1..14. */
uint8_t wm_ash_len(const wm_ash *ash);

/** MIC octets of a security level: 0, 4, 8, 16. */
uint8_t wm_level_mic_len(uint8_t level);

WM_C_END

#endif
