/* SPDX-License-Identifier: BSD-3-Clause */
/* Whole captures through the stack's procedures: the loop over frames, and the pcap file it writes.
 * Reference: draft-ietf-opsawg-pcap. */
#include <stddef.h>
#include <string.h>
#include <wardmote/octets.h>
#include "act.h"
#include "tap.h"
#include "where.h"

#define FILE_HEADER 24u
#define RECORD_HEADER 16u
#define SNAP_LENGTH 65535u
#define NS_PER_S 1000000000u
#define LINK_SAYS_FCS 0x04000000u /* of the link type's field; then pairs of octets */
#define LINK_FCS_SHIFT 28u

uint64_t frames_layout(void)
{
    uint64_t layout = 0;
    const uint64_t sizes[] = {sizeof(frames_capture), sizeof(frames_record), sizeof(frames_result),
                              sizeof(frames_totals),  sizeof(frames_key),    sizeof(frames_device),
                              sizeof(frames_job),     sizeof(frames_shown)};

    for (uint8_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        layout = layout * 1009 + sizes[i];
    }
    return layout;
}

/* Where neither the link type nor a record says that the FCS has four octets, the header does. */
static uint32_t fcs_word(const frames_job *job)
{
    const bool unsaid = job->out_link_type != FRAMES_LINK_TAP && job->fcs == FRAMES_FCS_32;

    return unsaid ? LINK_SAYS_FCS | 2u << LINK_FCS_SHIFT : 0;
}

/* Written least significant octet first, whatever machine this is. */
static void put_file_header(uint8_t *out, const frames_job *job)
{
    memset(out, 0, FILE_HEADER);
    wm_store_le32(out, job->nanoseconds ? 0xA1B23C4Du : 0xA1B2C3D4u);
    wm_store_le16(out + 4, 2);
    wm_store_le16(out + 6, 4);
    wm_store_le32(out + 16, SNAP_LENGTH);
    wm_store_le32(out + 20, job->out_link_type | fcs_word(job));
}

static void put_record_header(uint8_t *out, const frames_job *job, uint64_t time_ns, uint32_t len,
                              uint32_t original)
{
    const uint32_t fraction = (uint32_t)(time_ns % NS_PER_S);

    wm_store_le32(out, (uint32_t)(time_ns / NS_PER_S));
    wm_store_le32(out + 4, job->nanoseconds ? fraction : fraction / 1000);
    wm_store_le32(out + 8, len);
    wm_store_le32(out + 12, original);
}

/* Checks a record without looking into its frame. */
static wm_status check_record(const batch *run, const psdu *found, frames_result *result)
{
    switch (result->reason) {
    case FRAMES_NO_REASON:
        break;
    case FRAMES_TOO_LONG:
        return WM_ERR_FRAME_TOO_LONG;
    default:
        return WM_ERR_MALFORMED;
    }
    if (run->job->any_fcs == 0 &&
        !fcs_right(&run->state->fcs, found->fcs, found->frame, found->len)) {
        result->reason = FRAMES_BAD_FCS;
        return WM_ERR_FCS;
    }
    return WM_OK;
}

/* Ends a record whose frame of `len` octets stands behind a head of `head_len`. @return its end */
static uint8_t *end_record(const batch *run, const psdu *found, const frames_record *record,
                           uint8_t *out, uint32_t head_len, uint32_t len)
{
    uint8_t *const head = out + RECORD_HEADER;
    const uint32_t octets = len + fcs_put(&run->state->fcs, found->fcs, head + head_len, len);

    psdu_set_len(run->job, head, octets);
    put_record_header(out, run->job, record->time_ns, head_len + octets, head_len + octets);
    run->totals->written++;
    return head + head_len + octets;
}

/* Writes a refused frame as it came; in a packet in which none could be found nothing is
 * written. @return the end */
static uint8_t *keep(const batch *run, const psdu *found, const uint8_t *octets,
                     const frames_record *record, uint8_t *out)
{
    uint8_t *const head = out + RECORD_HEADER;
    uint32_t captured = record->captured, original = record->original;

    if (run->job->out_link_type == run->job->link_type) {
        memcpy(head, octets, captured);
    } else if (found->frame != NULL && found->len != 0) {
        const uint32_t head_len = tap_write(found, head);
        const uint32_t octets_left = found->len + (uint32_t)fcs_octets(found->fcs);
        memcpy(head + head_len, found->frame, octets_left);
        captured = original = head_len + octets_left;
    } else {
        return out;
    }
    put_record_header(out, run->job, record->time_ns, captured, original);
    run->totals->written++;
    return head + captured;
}

static uint8_t *handle(const batch *run, handler *act, const uint8_t *octets,
                       const frames_record *record, uint64_t number, uint8_t *out,
                       frames_result *result)
{
    psdu found;

    *result = (frames_result){.reason = (uint8_t)psdu_find(run->job, octets, record, &found)};
    if (result->reason == FRAMES_FOREIGN) {
        run->totals->foreign++;
        return out;
    }
    wm_status status = check_record(run, &found, result);
    if (status == WM_OK) {
        uint8_t *const head = out + RECORD_HEADER;
        const uint32_t head_len = psdu_put_head(run->job, &found, head);
        wm_psdu_len len = found.len;
        status = act(run, &found, number, head + head_len, &len, result);
        if (status >= 0) {
            out = end_record(run, &found, record, out, head_len, len);
        } else {
            run->state->has_answered = false;
            result->status = (int8_t)status;
            find_where(found.frame, found.len, run->job->edition, result);
        }
    }
    result->status = (int8_t)status;
    run->totals->by_status[-status & (int)(FRAMES_STATUSES - 1)]++;
    if (status < 0) {
        run->totals->by_reason[result->reason & (FRAMES_REASONS - 1)]++;
        out = run->job->keep_refused != 0 ? keep(run, &found, octets, record, out) : out;
    }
    return out;
}

static uint64_t all(const batch *run, handler *act, const uint8_t *file,
                    const frames_record *records, uint64_t first, uint64_t end,
                    frames_result *results, uint8_t *out)
{
    uint8_t *at = out;

    for (uint64_t i = first; i < end; i++) {
        at = handle(run, act, file + records[i].at, records + i, i, at, results + i);
    }
    return (uint64_t)(at - out);
}

uint8_t frames_begin(void *state, const frames_job *job, uint8_t *out, frames_totals *totals)
{
    *totals = (frames_totals){0};
    put_file_header(out, job);
    return state_prepare(state, job) != WM_OK;
}

uint64_t frames_unsecure(void *state, const frames_job *job, const uint8_t *file,
                         const frames_record *records, uint64_t first, uint64_t end,
                         frames_result *results, uint8_t *out, frames_totals *totals)
{
    return all(&(batch){state, job, totals}, act_unsecure, file, records, first, end, results, out);
}

uint64_t frames_secure(void *state, const frames_job *job, const uint8_t *file,
                       const frames_record *records, uint64_t first, uint64_t end,
                       frames_result *results, uint8_t *out, frames_totals *totals)
{
    return all(&(batch){state, job, totals}, act_secure, file, records, first, end, results, out);
}
