/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the octet at which a frame is malformed. The stack returns one status, because a mote needs
 * no more. Here the same fields are read again, in the order of the frame, to tell a person.
 * References: IEEE 802.15.4-2015 7.2 (MHR), 7.4 (IEs), 9.4 (ASH). */
#include <wardmote/ieee802154.h>
#include <wardmote/octets.h>
#include "where.h"

#define FCF0_SECURITY 0x08u
#define FCF1_VERSION_2 0x03u /* bits that only version 2 has */
#define PAYLOAD_IE 0x8000u
#define HEADER_IE_LENGTH 0x7Fu
#define HEADER_IE_TERMINATION_1 0x7Eu
#define HEADER_IE_TERMINATION_2 0x7Fu

typedef struct finding {
    frames_reason reason;
    uint16_t where;
} finding;

/* Checks the frame control field on its own. */
static finding look_at_fcf(uint8_t fcf0, uint8_t fcf1)
{
    const uint8_t type = fcf0 & 7u, version = (fcf1 >> 4) & 3u, dst = (fcf1 >> 2) & 3u,
                  src = (uint8_t)(fcf1 >> 6);

    if (type > WM_FRAME_COMMAND) {
        return (finding){type == 4 ? FRAMES_RESERVED_TYPE : FRAMES_OTHER_TYPE, 0};
    }
    if (version > WM_VERSION_2015) {
        return (finding){FRAMES_RESERVED_VERSION, 1};
    }
    if (dst == 1 || src == 1) {
        return (finding){FRAMES_RESERVED_ADDRESS, 1};
    }
    if (version < WM_VERSION_2015 && (fcf1 & FCF1_VERSION_2) != 0) {
        return (finding){FRAMES_UNDEFINED_BIT, 1};
    }
    return (finding){version < WM_VERSION_2015 ? FRAMES_COMPRESSION : FRAMES_NO_REASON, 0};
}

/* Checks the ASH and whether a MIC fits behind it; moves `*at` behind the ASH. */
static finding look_at_ash(const uint8_t *frame, wm_psdu_len len, wm_psdu_len *at)
{
    if (*at >= len) {
        return (finding){FRAMES_SHORT_ASH, len};
    }
    const uint8_t control = frame[*at];
    const wm_ash ash = {.key_id_mode = (control >> 3) & 3u,
                        .counter_suppressed = (control & 0x20u) != 0};
    const uint8_t octets = wm_ash_len(&ash);

    if (((frame[1] >> 4) & 3u) < WM_VERSION_2015 && (control & 0x60u) != 0) {
        return (finding){FRAMES_ASH_BITS, *at};
    }
    if (len - *at < octets) {
        return (finding){FRAMES_SHORT_ASH, len};
    }
    *at = (wm_psdu_len)(*at + octets);
    if (ash.key_id_mode != 0 && frame[*at - 1] == 0) {
        return (finding){FRAMES_INDEX_0, (wm_psdu_len)(*at - 1)};
    }
    if (len - *at < wm_level_mic_len(control & 7u)) {
        return (finding){FRAMES_SHORT_MIC, *at};
    }
    return (finding){FRAMES_NO_REASON, 0};
}

/* Checks header IEs up to their termination, from `at` to the MIC; then the payload. */
static finding look_at_ies(const uint8_t *frame, wm_psdu_len at, wm_psdu_len end)
{
    while (at < end) {
        if (end - at < 2) {
            return (finding){FRAMES_HEADER_IE, at};
        }
        const uint16_t descriptor = wm_load_le16(frame + at);
        const uint8_t length = descriptor & HEADER_IE_LENGTH,
                      id = (uint8_t)(descriptor >> 7 & 0xFFu);
        const bool last = id == HEADER_IE_TERMINATION_1 || id == HEADER_IE_TERMINATION_2;
        if ((descriptor & PAYLOAD_IE) != 0 || length > end - at - 2 || (last && length != 0)) {
            return (finding){FRAMES_HEADER_IE, at};
        }
        at = (wm_psdu_len)(at + 2 + length);
        if (last) {
            break;
        }
    }
    return (finding){FRAMES_PAYLOAD, at};
}

static finding look(const uint8_t *frame, wm_psdu_len len, wm_edition edition)
{
    if (len < 2) {
        return (finding){FRAMES_SHORT_FCF, len};
    }
    const finding fcf = look_at_fcf(frame[0], frame[1]);
    wm_psdu_len at = wm_frame_addressing_len(frame);
    if (at == 0) {
        return fcf;
    }
    if (at > len) {
        return (finding){FRAMES_SHORT_ADDRESSING, len};
    }
    if (edition > WM_EDITION_2012E && (frame[1] >> 4 & 3u) == WM_VERSION_2015) {
        return (finding){FRAMES_EDITION, 1};
    }
    wm_psdu_len end = len;
    if ((frame[0] & FCF0_SECURITY) != 0) {
        const wm_psdu_len control_at = at;
        const finding ash = look_at_ash(frame, len, &at);
        if (ash.reason != FRAMES_NO_REASON) {
            return ash;
        }
        end = (wm_psdu_len)(len - wm_level_mic_len(frame[control_at] & 7u));
    }
    if ((frame[1] >> 4 & 3u) < WM_VERSION_2015) {
        return (finding){FRAMES_OPEN_PAYLOAD, at};
    }
    return (frame[1] & 2u) != 0 ? look_at_ies(frame, at, end) : (finding){FRAMES_PAYLOAD, at};
}

void find_where(const uint8_t *frame, wm_psdu_len len, wm_edition edition, frames_result *result)
{
    if (result->reason != FRAMES_NO_REASON) {
        return;
    }
    if (result->status == WM_ERR_MALFORMED || (result->status == WM_ERR_NOT_FOR_US)) {
        const finding found = look(frame, len, edition);
        result->reason = (uint8_t)found.reason;
        result->where = found.where;
    }
}
