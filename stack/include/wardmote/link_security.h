/* SPDX-License-Identifier: BSD-3-Clause */
/** @file link_security.h
 *  IEEE 802.15.4 frame security of one frame with one key: nonce, a-data and m-data, CCM*. The
 *  caller decides on key and policy (TSCH: tsch.h). */
#ifndef WARDMOTE_LINK_SECURITY_H
#define WARDMOTE_LINK_SECURITY_H

#include <wardmote/ccm.h>
#include <wardmote/ieee802154.h>
#include <wardmote/linkage.h>

WM_C_BEGIN

/** Edition whose rules hold, the strictest first. Level 4 (encryption without MIC) exists in 2011
 *  only. */
typedef enum wm_profile { WM_PROFILE_2015 = 0, WM_PROFILE_2011 = 1 } wm_profile;

/** How the 13-octet nonce is made (IEEE 802.15.4-2015 9.3.3). The receiver takes the form from its
 *  own mode of operation and refuses a frame whose ASH claims another. */
typedef enum wm_nonce_form {
    WM_NONCE_COUNTER, /**< source extended address 8 | frame counter 4 | level 1 */
    /** TSCH: source extended address 8 | ASN 5, or BA 55 EC 00 | PAN id 2 | short address 2 | ASN
     *  5 */
    WM_NONCE_ASN
} wm_nonce_form;

/** What securing or unsecuring one frame needs besides the frame. */
typedef struct wm_security {
    const wm_cipher *cipher; /**< a key's, of AES-128: `&key.cipher` */
    wm_profile profile;
    wm_nonce_form nonce_form;
    uint8_t asn[5]; /**< ASN, most significant octet first; used by WM_NONCE_ASN */
    /** 8 octets: the sender's extended address, for a nonce that needs it and a frame that lacks it
     *  (WM_NONCE_COUNTER: source short or absent; WM_NONCE_ASN: absent). NULL: the frame must carry
     *  it */
    const uint8_t *src_ext;
} wm_security;

/** a-data and m-data of a frame, and its MIC. a begins at the first octet, m at `m_start`, the MIC
 *  follows m. m_start = a_len except at level 4, which authenticates nothing: there a_len is 0 and
 *  m_start the private payload. */
typedef struct wm_frame_split {
    wm_psdu_len a_len, m_start, m_len;
    uint8_t mic_len;
} wm_frame_split;

/** Nonce of the frame with header `mhr`.
 *  @retval WM_ERR_PARAM                 form needs an address or PAN identifier that is not
 *                                       there
 *  @retval WM_ERR_UNSUPPORTED_SECURITY  the ASH's bits 5 and 6 disagree with the form
 *  @retval WM_ERR_COUNTER               counter or ASN all ones */
WM_NODISCARD wm_status wm_frame_nonce(const wm_mhr *mhr, const wm_security *sec, uint8_t nonce[13]);

/** Split of a frame in clear of `len` octets (no MIC yet).
 *  @retval WM_ERR_UNSUPPORTED_SECURITY  level 0 in a secured frame, level 4 in the 2015 profile, an
 *                                       Imm-Ack, an Enhanced Beacon that would be encrypted (2015
 *                                       6.3.6)
 *  @retval WM_ERR_FRAME_TOO_LONG        frame + MIC + FCS over WM_PSDU_MAX octets */
WM_NODISCARD wm_status wm_frame_split_clear(const wm_mhr *mhr, const wm_frame_map *map,
                                            wm_profile profile, wm_psdu_len len,
                                            wm_frame_split *split);

/** Split of a secured frame of `len` octets (MIC included).
 *  @retval WM_ERR_UNSUPPORTED_SECURITY  as above
 *  @retval WM_ERR_MALFORMED             no room for the MIC */
WM_NODISCARD wm_status wm_frame_split_secured(const wm_mhr *mhr, const wm_frame_map *map,
                                              wm_profile profile, wm_psdu_len len,
                                              wm_frame_split *split);

/** Secures a frame in place: header and payload in clear in, `*len` grows by the MIC. `frame` has
 *  `size` octets of room; it needs `*len` and wm_level_mic_len of the level, at most WM_FRAME_MAX.
 *  @retval WM_NOT_SECURED          the frame's Security Enabled bit is 0; frame unchanged
 *  @retval WM_ERR_FRAME_TOO_LONG   frame + MIC over `size`, or with its FCS over WM_PSDU_MAX
 *                                  octets; frame unchanged
 *  @retval WM_ERR_UNAVAILABLE_KEY  the key was not made; frame unchanged
 *  @retval WM_ERR_ENGINE           the cipher failed: what was to be encrypted is zero */
WM_NODISCARD wm_status wm_frame_secure(const wm_security *sec, uint8_t *frame, wm_psdu_len size,
                                       wm_psdu_len *len);

/** The same for a frame whose header has been read or built already. */
WM_NODISCARD wm_status wm_frame_secure_as(const wm_security *sec, const wm_mhr *mhr,
                                          const wm_frame_map *map, uint8_t *frame, wm_psdu_len size,
                                          wm_psdu_len *len);

/** Unsecures a frame in place: `*len` shrinks by the MIC.
 *  The sender chose the level: policy is to compare it.
 *  @retval WM_OK                 the MIC is right: a holder of the key sent this frame
 *  @retval WM_NOT_SECURED        the Security Enabled bit is 0; frame unchanged. Anybody may have
 *                                sent it
 *  @retval WM_NOT_AUTHENTICATED  decrypted, but level 4 has no MIC (WM_PROFILE_2011 only). Anybody
 *                                may have written it
 *  @retval WM_ERR_SECURITY       MIC wrong: everything after the ASH is zero, header IEs included;
 *                                `*len` unchanged.
 *  @retval WM_ERR_ENGINE         the cipher failed: the same.
 *  Any other error: frame unchanged. */
WM_NODISCARD wm_status wm_frame_unsecure(const wm_security *sec, uint8_t *frame, wm_psdu_len *len);

/** The same for a frame whose header has been read already (wm_frame_parse). */
WM_NODISCARD wm_status wm_frame_unsecure_as(const wm_security *sec, const wm_mhr *mhr,
                                            const wm_frame_map *map, uint8_t *frame,
                                            wm_psdu_len *len);

WM_C_END

#endif
