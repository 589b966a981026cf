/* SPDX-License-Identifier: BSD-3-Clause */
/** @file status.h
 *  One status for the whole library. Names are those of IEEE 802.15.4; the value the standard
 *  assigns, where it assigns one, stands beside each.
 *
 *  `status == WM_OK` is the safe question: of a received frame it says that the frame is
 *  authenticated, of a frame to send that it is secured. `status < 0` says that nothing was done. A
 *  positive status says that the call succeeded, but that nothing protects this frame against a
 *  forger: accept it only where that is right. */
#ifndef WARDMOTE_STATUS_H
#define WARDMOTE_STATUS_H

#include <wardmote/linkage.h>

WM_C_BEGIN

#if defined(__GNUC__)
#define WM_NODISCARD __attribute__((warn_unused_result))
#else
#define WM_NODISCARD
#endif

/** What a function answers. */
typedef enum wm_status {
    WM_OK = 0, /**< SUCCESS */
    /** the frame is in clear. Received: anybody may have sent it. To send: it stays as it is */
    WM_NOT_SECURED = 1,
    /** the received frame was decrypted, but level 4 has no MIC: anybody may have written it */
    WM_NOT_AUTHENTICATED = 2,
    /** an argument is out of its documented range (INVALID_PARAMETER, 0xE8) */
    WM_ERR_PARAM = -1,
    /** the frame is shorter than its own fields say, or uses a reserved value */
    WM_ERR_MALFORMED = -2,
    /** FRAME_TOO_LONG, 0xE5: does not fit aMaxPhyPacketSize or the buffer */
    WM_ERR_FRAME_TOO_LONG = -3,
    WM_ERR_COUNTER = -4,         /**< COUNTER_ERROR, 0xDB: counter exhausted or replayed */
    WM_ERR_UNAVAILABLE_KEY = -5, /**< UNAVAILABLE_KEY, 0xF3 */
    /** UNSUPPORTED_SECURITY, 0xDF: level not in the profile, or form not agreed */
    WM_ERR_UNSUPPORTED_SECURITY = -6,
    WM_ERR_UNSUPPORTED_LEGACY = -7, /**< UNSUPPORTED_LEGACY, 0xDE: secured frame of version 0 */
    /** IMPROPER_SECURITY_LEVEL, 0xDD: policy wants another level */
    WM_ERR_IMPROPER_SECURITY_LEVEL = -8,
    /** IMPROPER_KEY_TYPE, 0xDC: key not meant for this frame type */
    WM_ERR_IMPROPER_KEY_TYPE = -9,
    /** SECURITY_ERROR, 0xE4: the tag (MIC) is wrong; nothing was released */
    WM_ERR_SECURITY = -10,
    /** called out of order, or with a key that was not made; nothing was done */
    WM_ERR_STATE = -11,
    WM_ERR_FCS = -12, /**< the radio received the frame with a wrong FCS */
    /** well formed, but another destination, PAN or frame type than expected */
    WM_ERR_NOT_FOR_US = -13,
    /** UNAVAILABLE_DEVICE (no number): no descriptor of the sender for this key */
    WM_ERR_UNAVAILABLE_DEVICE = -14,
    /** UNAVAILABLE_SECURITY_LEVEL (no number): no policy for such a frame */
    WM_ERR_UNAVAILABLE_SECURITY_LEVEL = -15,
    /** IMPROPER_IE_SECURITY (no number): policy wants another level for an IE */
    WM_ERR_IMPROPER_IE_SECURITY = -16,
    /** the store of counters failed, or its contents are damaged */
    WM_ERR_STORAGE = -20,
    WM_ERR_NO_STORE = -21, /**< the medium holds no store of counters: none was created */
    /** a cipher's engine failed; nothing was released, and nothing counts as authentic */
    WM_ERR_ENGINE = -22
} wm_status;

WM_C_END

#endif
