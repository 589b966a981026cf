/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the frame of a record lies. References: LINKTYPE list of tcpdump.org (191, 195, 215, 230,
 * 283 and those of packets). Invariant: no octet is read before its end was compared with the
 * octets that were captured. */
#include <string.h>
#include <wardmote/ieee802154.h>
#include <wardmote/octets.h>
#include "packet.h"
#include "psdu.h"
#include "tap.h"

#define PHY_HEADER 6u /* preamble 4, SFD 1, length 1 */
#define PHY_SFD 0xA7u
#define PHY_LENGTH 0x7Fu

/* IEEE802_15_4_NONASK_PHY: the length octet counts the FCS. */
static frames_reason read_phy(const uint8_t *octets, uint32_t len, uint32_t original, psdu *found)
{
    if (len < PHY_HEADER || wm_load_le32(octets) != 0 || octets[4] != PHY_SFD ||
        (octets[5] & PHY_LENGTH) != original - PHY_HEADER) {
        return FRAMES_PHY;
    }
    found->head_len = PHY_HEADER;
    return FRAMES_NO_REASON;
}

static uint8_t fcs_of_link(const frames_job *job, uint8_t unsaid)
{
    return job->fcs == FRAMES_FCS_UNSAID ? unsaid : job->fcs;
}

/* Sets what stands before the frame and what kind of FCS stands behind it. `*end`: octets of the
 * record up to the end of the FCS. */
static frames_reason find(const frames_job *job, const uint8_t *octets, const frames_record *record,
                          psdu *found, uint32_t *end)
{
    switch (job->link_type) {
    case FRAMES_LINK_TAP:
        return tap_read(octets, *end, found);
    case FRAMES_LINK_PHY:
        found->fcs = fcs_of_link(job, FRAMES_FCS_16);
        return read_phy(octets, *end, record->original, found);
    case FRAMES_LINK_WITH_FCS:
        found->fcs = fcs_of_link(job, FRAMES_FCS_16);
        return FRAMES_NO_REASON;
    case FRAMES_LINK_NO_FCS:
    case FRAMES_LINK_LINUX:
        found->fcs = fcs_of_link(job, FRAMES_FCS_NONE);
        return FRAMES_NO_REASON;
    default:
        return packet_read(job, octets, found, end);
    }
}

frames_reason psdu_find(const frames_job *job, const uint8_t *octets, const frames_record *record,
                        psdu *found)
{
    uint32_t end = record->captured;

    *found = (psdu){0};
    const frames_reason reason = find(job, octets, record, found, &end);
    if (reason != FRAMES_NO_REASON) {
        return reason;
    }
    found->frame = octets + found->head_len;
    if (record->captured < record->original) {
        return FRAMES_NOT_WHOLE;
    }
    const uint32_t fcs = fcs_octets(found->fcs), len = end - found->head_len;
    if (len < fcs) {
        return FRAMES_SHORT_FCF;
    }
    if (len > job->psdu_max || len - fcs > WM_FRAME_MAX) {
        return FRAMES_TOO_LONG;
    }
    found->len = (wm_psdu_len)(len - fcs);
    return FRAMES_NO_REASON;
}

uint32_t psdu_put_head(const frames_job *job, const psdu *found, uint8_t *out)
{
    if (job->out_link_type == job->link_type) {
        memcpy(out, found->frame - found->head_len, found->head_len);
        return found->head_len;
    }
    return tap_write(found, out);
}

void psdu_set_len(const frames_job *job, uint8_t *head, uint32_t len)
{
    if (job->out_link_type == FRAMES_LINK_PHY) {
        head[5] = (uint8_t)((head[5] & ~PHY_LENGTH) | (len & PHY_LENGTH));
    }
}
