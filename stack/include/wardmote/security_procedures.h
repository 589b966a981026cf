/* SPDX-License-Identifier: BSD-3-Clause */
/** @file security_procedures.h
 *  The outgoing and incoming frame security procedures of IEEE 802.15.4-2006/2011 (7.2), 2012e and
 *  2015 (9.2) over the tables of security_pib.h. docs/how-is-a-frame-admitted.md walks through
 *  them, edition beside edition.
 *
 *  Every edition keeps these promises. A counter moves only for a frame that leaves (outgoing), or
 *  for a frame whose MIC is right and that every policy admits (incoming), and only after the store
 *  has kept it. A refused frame releases nothing. Frames at level 4 (before 2015) have no MIC: a
 *  policy that allows them admits forgeries. They move only a counter of their own, in RAM. Frames
 *  are PSDUs without FCS, at most WM_FRAME_MAX octets; FRAME_TOO_LONG counts ASH, MIC and FCS. */
#ifndef WARDMOTE_SECURITY_PROCEDURES_H
#define WARDMOTE_SECURITY_PROCEDURES_H

#include <wardmote/linkage.h>
#include <wardmote/port/tsch_port.h>
#include <wardmote/security_pib.h>

WM_C_BEGIN

/** How a frame is to be secured: parameters of the MAC's data and command primitives. */
typedef struct wm_security_params {
    uint8_t level;         /**< SecurityLevel 1..7; 0: the frame is to stay in clear */
    uint8_t key_id_mode;   /**< KeyIdMode 0..3 */
    uint8_t key_index;     /**< modes 1..3: 1..255 */
    uint8_t key_source[8]; /**< as on air; mode 2: 4 octets, mode 3: 8 */
} wm_security_params;

/** Secures a frame in clear in place: `frame` has `size` octets of room and `*len` octets, Security
 *  Enabled 0, no ASH. Sets Security Enabled (and version 1 in a version 0 frame), inserts the ASH,
 *  encrypts, appends the MIC. The counter, or the ASN, is used up when this returns WM_OK, whatever
 *  the caller does with the frame. Statuses in the order of the checks; on each but the last the
 *  frame is as it was and no counter moved:
 *  @retval WM_NOT_SECURED               level 0 was asked for: the frame is well formed and in
 *                                       clear
 *  @retval WM_ERR_MALFORMED, WM_ERR_NOT_FOR_US, WM_ERR_UNSUPPORTED_LEGACY  of wm_frame_parse_clear
 *  @retval WM_ERR_PARAM                 parameters out of range, frame has an ASH already, version
 *                                       not of the edition
 *  @retval WM_ERR_UNSUPPORTED_SECURITY  secEnabled FALSE; a level the edition does not have;
 *                                       Imm-Ack; encrypted Enhanced Beacon; a version 0 or 1 frame
 *                                       in TSCH mode
 *  @retval WM_ERR_FRAME_TOO_LONG        over aMaxPhyPacketSize or `size`; of wm_frame_parse_clear
 *  @retval WM_ERR_COUNTER               counter or ASN all ones, or this slot's ASN has been used
 *  @retval WM_ERR_UNAVAILABLE_KEY       no key descriptor, or its key was wiped
 *  @retval WM_ERR_STORAGE               the counter could not be kept, or was not restored
 *                                       (wm_pib_restore)
 *  @retval WM_ERR_ENGINE                the cipher failed: the frame is all zero, with `*len` as it
 *                                       was, and the counter is used up */
WM_NODISCARD wm_status wm_outgoing_secure(wm_security_pib *pib, const wm_security_params *params,
                                          uint8_t *frame, wm_psdu_len size, wm_psdu_len *len);

/** Builds and secures a frame: `mhr` with Security Enabled 0, then `body_len` octets of header
 *  IEs, payload IEs and payload (ie_present says whether it begins with IEs). `frame` and `body`
 *  do not overlap. Statuses as above; on errors the contents of `frame` mean nothing, with
 *  WM_NOT_SECURED `frame` and `*len` are those of the frame in clear.
 *  @retval WM_ERR_PARAM  also what wm_mhr_build cannot express */
WM_NODISCARD wm_status wm_outgoing_build(wm_security_pib *pib, const wm_security_params *params,
                                         const wm_mhr *mhr, const uint8_t *body,
                                         wm_psdu_len body_len, uint8_t *frame, wm_psdu_len size,
                                         wm_psdu_len *len);

/** What the incoming procedure found out. Meaningful unless it refused the frame. */
typedef struct wm_incoming {
    wm_mhr mhr;       /**< header as received; of a secured frame with its ASH */
    wm_frame_map map; /**< of the frame in clear, which keeps its ASH */
    /** offset of the payload: behind payload IEs, of commands at the identifier */
    wm_psdu_len payload;
    uint8_t command_id;  /**< commands: identifier, else 0 */
    uint8_t level;       /**< 0: the frame came unsecured and policy admits it */
    uint8_t key_id_mode; /**< secured frames */
    uint16_t key;        /**< index into the key table, WM_NO_INDEX for an unsecured frame */
    uint16_t device;     /**< index into the device table, WM_NO_INDEX if it is not there */
} wm_incoming;

/** Unsecures a received frame in place. If policy admits it, `*len` shrinks by the MIC and the ASH
 *  stays:
 *  @retval WM_OK                 a holder of the key sent this frame
 *  @retval WM_NOT_SECURED        it came in clear, and a level descriptor admits that (or secEnabled
 *                                is FALSE). Anybody may have sent it
 *  @retval WM_NOT_AUTHENTICATED  it came at level 4, and a level descriptor admits that (before 2015
 *                                only). Anybody may have written it
 *
 *  Otherwise, statuses in the order of the checks:
 *  @retval WM_ERR_MALFORMED, WM_ERR_FRAME_TOO_LONG, WM_ERR_NOT_FOR_US  of wm_frame_parse; version
 *      not of the edition; payload IEs that do not fit; a command without identifier
 *  @retval WM_ERR_UNSUPPORTED_LEGACY               secured frame of version 0
 *  @retval WM_ERR_UNSUPPORTED_SECURITY             secured at level 0 (or 4 in 2015); secured while
 *                                                  secEnabled is FALSE; secured Imm-Ack; encrypted
 *                                                  Enhanced Beacon; the ASH claims another form of
 *                                                  nonce than the PIB's
 *  @retval WM_ERR_UNAVAILABLE_KEY                  no key descriptor, or its key was wiped
 *  @retval WM_ERR_UNAVAILABLE_DEVICE               the sender is unknown, or not among the key's
 *                                                  devices, or blacklisted, or under a key for any
 *                                                  device this node itself
 *  @retval WM_ERR_UNAVAILABLE_SECURITY_LEVEL       no level descriptor for this frame type or
 *                                                  command
 *  @retval WM_ERR_IMPROPER_SECURITY_LEVEL          level not allowed; unsecured and no exemption
 *  @retval WM_ERR_COUNTER                          counter or ASN all ones, or counter less than
 *                                                  the least acceptable
 *  @retval WM_ERR_IMPROPER_KEY_TYPE                the key is not for this frame type or command
 *  @retval WM_ERR_SECURITY                         wrong MIC
 *  @retval WM_ERR_ENGINE                           the cipher failed: nothing counts as authentic
 *  @retval WM_ERR_IMPROPER_IE_SECURITY             an IE that may not come at this level
 *  @retval WM_ERR_STORAGE                          the counter could not be kept, or was not
 *                                                  restored
 *  If the error came after the MIC was computed (a wrong MIC, a cipher that failed, a fault that
 *  only the decrypted payload shows, or the store), everything behind the ASH is zero. On the other
 *  errors the frame is unchanged. On every error `*len` and all counters stay. */
WM_NODISCARD wm_status wm_incoming_unsecure(wm_security_pib *pib, uint8_t *frame, wm_psdu_len *len,
                                            wm_incoming *result);

/** The same for the acknowledgment of a frame that this node sent. An ack without source address
 *  comes from the destination of that frame. `sent` is the header of that frame as wm_frame_parse
 *  fills it, with PAN identifiers and the flags of their presence.
 *  @retval WM_ERR_NOT_FOR_US               no ack, or it answers another frame (sequence number,
 *                                          addresses), or none asked
 *  @retval WM_ERR_IMPROPER_SECURITY_LEVEL  also an unsecured Enh-Ack with IEs or payload that
 *                                          answers a secured frame (2015 6.7.2) */
WM_NODISCARD wm_status wm_incoming_ack(wm_security_pib *pib, const wm_mhr *sent, uint8_t *frame,
                                       wm_psdu_len *len, wm_incoming *result);

/** The same for an Enhanced Beacon by which a node joins a TSCH network (2015 6.3.6): the ASN in
 *  its Synchronization IE makes the nonce, and becomes the PIB's ASN only if the beacon is admitted.
 *  That slot counts as used.
 *
 *  Whoever knows the beacons' key, and K1 of RFC 8180 is public, can send a beacon with any ASN. A
 *  node that believes it refuses its true network until that gets there, over restarts too where the
 *  ASN is stored. join_asn_max of the PIB bounds this: set it before each call to the latest ASN that
 *  can be, from what the node knows of the time. The shorter the bound, the shorter the node can be
 *  shut out. A secret key for beacons leaves this to its members.
 *  @retval WM_ERR_NOT_FOR_US               no version 2 beacon, or not in TSCH mode
 *  @retval WM_ERR_MALFORMED                without such an IE
 *  @retval WM_ERR_COUNTER                  also an ASN less than the PIB's, or above join_asn_max
 *  @retval WM_ERR_IMPROPER_SECURITY_LEVEL  also any unsecured one, unless secEnabled is FALSE */
WM_NODISCARD wm_status wm_incoming_join(wm_security_pib *pib, uint8_t *frame, wm_psdu_len *len,
                                        wm_incoming *result);

/** Parameters for the Enh-Ack that answers a received frame: secured as the frame was (2015 6.7.2).
 *  With KeyIdMode 0 the Enh-Ack needs a destination address. */
void wm_ack_params(const wm_incoming *received, wm_security_params *params);

/** Makes room behind the addressing fields of a frame in clear and writes `ash` there, sets
 *  Security Enabled, and version 1 in a version 0 frame. On any error the frame is as it was.
 *  @retval WM_ERR_PARAM           what wm_mhr_build cannot express; there is an ASH already
 *  @retval WM_ERR_FRAME_TOO_LONG  over `size` or WM_FRAME_MAX
 *  @retval others                 of wm_frame_parse_clear */
WM_NODISCARD wm_status wm_ash_insert(uint8_t *frame, wm_psdu_len size, wm_psdu_len *len,
                                     const wm_ash *ash);

/** The reverse, for a frame in clear that still has its ASH: removes the ASH and clears Security
 *  Enabled. A frame without ASH passes unchanged. On any error, those of wm_frame_parse_clear, the
 *  frame is as it was. */
WM_NODISCARD wm_status wm_ash_remove(uint8_t *frame, wm_psdu_len *len);

/* The procedures without their cipher, for a node that runs it apart: ahead of a slot and while a frame
 * is on the air (tsch_ahead.h). Each procedure has two halves. The first is all that tables and policy
 * can say of a header. The second comes when the cipher is done, and only then counters move.
 *
 * The caller keeps the promises between the halves. It encrypts or decrypts under the key of the
 * descriptor that the first half names, and calls the second half of an incoming frame only if its MIC
 * is right. It wipes what the second half refuses. */

/** What the first half found out about an incoming frame, for the second. */
typedef struct wm_admission {
    wm_incoming
        found; /**< of a frame that was admitted; payload and command_id after the second half */
    wm_frame_counter *counter; /**< private */
    wm_key_device *entry;      /**< private */
} wm_admission;

/** Before the MIC of a received frame: form, key, sender, level, counter and use of the key, in the
 *  order and with the statuses of wm_incoming_unsecure. Nothing of the PIB is written.
 *  @param job  frame, len with its MIC, mhr, map and asn, which makes the nonce. A payload that is
 *              encrypted is not looked at
 *  @retval WM_OK                           the key of descriptor `admission->found.key` may be used
 *  @retval WM_ERR_IMPROPER_SECURITY_LEVEL  also a frame that came in clear */
WM_NODISCARD wm_status wm_incoming_admit(wm_security_pib *pib, const wm_frame_job *job,
                                         wm_admission *admission);

/** After the MIC was right: IEs and commands that were encrypted, then the counter. If it is not WM_OK,
 *  nothing has moved and nothing of the frame may be believed.
 *  @param job  the same frame in clear, len without its MIC
 *  @retval WM_ERR_MALFORMED, WM_ERR_IMPROPER_IE_SECURITY, WM_ERR_STORAGE and those of a command that
 *          was encrypted  as wm_incoming_unsecure */
WM_NODISCARD wm_status wm_incoming_accept(wm_security_pib *pib, const wm_frame_job *job,
                                          wm_admission *admission);

/** Of a frame that is to be sent: the key of its receiver, and whether a counter or the ASN is left.
 *  Nothing of the PIB is written.
 *  @param mhr  the header as it will be, with its ASH
 *  @param key  set on WM_OK: index into the key table
 *  @retval WM_ERR_UNSUPPORTED_SECURITY, WM_ERR_UNAVAILABLE_KEY, WM_ERR_COUNTER  as
 *          wm_outgoing_secure */
WM_NODISCARD wm_status wm_outgoing_admit(wm_security_pib *pib, const wm_mhr *mhr, uint16_t *key);

/** Uses up the counter of the header, or the ASN: before the frame leaves.
 *  @param key  of wm_outgoing_admit
 *  @retval WM_ERR_COUNTER  it is used up, or the header has another than the PIB's next
 *  @retval WM_ERR_STORAGE  the counter could not be kept */
WM_NODISCARD wm_status wm_outgoing_take(wm_security_pib *pib, const wm_mhr *mhr, uint16_t key);

WM_C_END

#endif
