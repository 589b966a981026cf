/* SPDX-License-Identifier: BSD-3-Clause */
/* Captures with random faults through bench/native, built with sanitizers by test_sanitized.py.
 * Every buffer is a block of its own and just as long as frames.h says, so that one octet too far
 * is found.
 *
 *   mutations SEED ROUNDS FILE...   exit code 0: all rounds ended, and what was answered can be
 * true */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wardmote/ieee802154.h>
#include "frames.h"
#include "zigbee.h"

#define MOST_FILES 64
#define MOST_OCTETS 65536u
#define FAULTS 4u

static uint32_t seed;

static uint32_t draw(uint32_t below)
{
    seed ^= seed << 13; /* xorshift32, Marsaglia 2003 */
    seed ^= seed >> 17;
    seed ^= seed << 5;
    return seed % below;
}

static void demand(int holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "mutations: %s\n", what);
        exit(1);
    }
}

/* Up to FAULTS changes: an octet, a piece taken out, or the end. */
static uint32_t spoil(uint8_t *octets, uint32_t size)
{
    for (uint32_t i = draw(FAULTS + 1); i != 0 && size > 4; i--) {
        const uint32_t at = draw(size), piece = draw(8) + 1;
        switch (draw(4)) {
        case 0:
            octets[at] = (uint8_t)draw(256);
            break;
        case 1:
            octets[at] ^= (uint8_t)(1u << draw(8));
            break;
        case 2:
            if (at + piece < size) {
                memmove(octets + at, octets + at + piece, size - at - piece);
                size -= piece;
            }
            break;
        default:
            size = draw(16) == 0 ? at : size;
            break;
        }
    }
    return size;
}

/* Mostly the file's own link type, so that its frames are found; otherwise any. */
static uint32_t draw_link(uint32_t own)
{
    static const uint32_t links[] = {FRAMES_LINK_TAP,      FRAMES_LINK_WITH_FCS, FRAMES_LINK_NO_FCS,
                                     FRAMES_LINK_LINUX,    FRAMES_LINK_PHY,      FRAMES_LINK_NULL,
                                     FRAMES_LINK_ETHERNET, FRAMES_LINK_RAW,      FRAMES_LINK_LOOP,
                                     FRAMES_LINK_SLL,      FRAMES_LINK_IPV4,     FRAMES_LINK_IPV6,
                                     FRAMES_LINK_SLL2};

    return draw(4) != 0 ? own : links[draw(sizeof links / sizeof *links)];
}

static uint32_t written_as(uint32_t link)
{
    switch (link) {
    case FRAMES_LINK_WITH_FCS:
    case FRAMES_LINK_NO_FCS:
    case FRAMES_LINK_LINUX:
    case FRAMES_LINK_PHY:
        return link;
    default:
        return FRAMES_LINK_TAP;
    }
}

static frames_job draw_job(uint32_t own_link, const frames_key *keys, uint32_t key_count,
                           const frames_device *devices)
{
    static const uint8_t fcs[] = {FRAMES_FCS_UNSAID, FRAMES_FCS_NONE, FRAMES_FCS_16, FRAMES_FCS_32};
    const uint32_t link = draw_link(own_link);
    const uint8_t edition = (uint8_t)(draw(4) == 0 ? draw(4) : 3);

    return (frames_job){
        .keys = keys,
        .devices = devices,
        .key_count = key_count,
        .device_count = draw(2),
        .link_type = link,
        .out_link_type = written_as(link),
        .psdu_max = draw(4) == 0 ? 127 : 2047,
        .fcs = fcs[draw(4) * draw(2)],
        .edition = edition,
        .nonce_form = (uint8_t)(edition < 2 ? FRAMES_NONCE_COUNTER : draw(3)),
        .asn_source = (uint8_t)draw(2),
        .allowed = {0xFF, 0xFF, 0xFF, 0xFF},
        .strangers = (uint8_t)draw(2),
        .replays = (uint8_t)draw(2),
        .any_fcs = draw(8) != 0,
        .keep_refused = (uint8_t)draw(2),
        .level = (uint8_t)(draw(7) + 1),
        .key_id_mode = 1,
        .key_index = 2,
        .has_ext_addr = (uint8_t)draw(2),
    };
}

static void check_results(const frames_result *results, const frames_totals *totals, uint64_t count)
{
    uint64_t sum = 0;

    for (uint64_t i = 0; i < FRAMES_STATUSES; i++) {
        sum += totals->by_status[i];
    }
    demand(sum + totals->foreign == count, "every frame has one status");
    for (uint64_t i = 0; i < count; i++) {
        demand(results[i].status <= WM_NOT_AUTHENTICATED &&
                   results[i].status > WM_NOT_AUTHENTICATED - (int)FRAMES_STATUSES,
               "a status is one of wm_status");
        demand(results[i].status != WM_ERR_MALFORMED || results[i].reason != FRAMES_NO_REASON,
               "malformed has a reason");
        demand(results[i].where <= WM_FRAME_MAX, "a place is in the frame");
    }
}

static void through(void *state, const uint8_t *file, const frames_record *records, uint64_t count,
                    uint32_t link)
{
    static const frames_key keys[] = {
        {.octets = {0xDE, 0xAD, 0xBE, 0xEF, 0xFA, 0xCE, 0xCA, 0xFE, 0xDE, 0xAD, 0xBE, 0xEF, 0xFA,
                    0xCE, 0xCA, 0xFE},
         .key_id_mode = 1,
         .key_index = 2,
         .usage = 15},
        {.octets = {2}, .key_id_mode = 1, .key_index = 2, .usage = 15},
        {.octets = {1},
         .key_id_mode = 0,
         .addr_mode = 2,
         .pan = 0xABCD,
         .key_source = {0, 2},
         .usage = 3},
    };
    static const frames_device device = {
        .ext_addr = {0, 0x12, 0x4B}, .pan = 0xABCD, .short_addr = 2};
    frames_job job = draw_job(link, keys, 3, &device);
    uint64_t most = 0;

    for (uint64_t i = 0; i < count; i++) {
        most += records[i].captured + FRAMES_ROOM;
    }
    frames_result *results = calloc(count + 1, sizeof *results);
    frames_shown *shown = calloc(count + 1, sizeof *shown);
    uint8_t *out = malloc(most + 1), header[24];
    frames_totals totals;

    for (int secure = 0; secure < 2; secure++) {
        if (secure != 0 && job.nonce_form == FRAMES_NONCE_AS_SAID) {
            job.nonce_form = FRAMES_NONCE_ASN;
        }
        demand(frames_begin(state, &job, header, &totals) == 0, "the job is possible");
        const uint64_t half = count / 2;
        uint64_t written = 0;
        for (int part = 0; part < 2; part++) {
            written += (secure != 0 ? frames_secure : frames_unsecure)(
                state, &job, file, records, part ? half : 0, part ? count : half, results,
                out + written, &totals);
        }
        demand(written <= most, "no more is written than there is room for");
        check_results(results, &totals, count);
    }
    frames_show(&job, file, records, count, shown);
    for (uint64_t i = 0; i < count; i++) {
        const frames_shown *one = shown + i;
        demand(one->result.status != WM_OK || one->private_payload <= one->len,
               "the payload begins in the frame");
        demand(one->result.status != WM_OK || !one->security_enabled ||
                   one->m_start + one->m_len + one->mic_len == one->len,
               "m-data and MIC end the frame");
    }
    free(results);
    free(shown);
    free(out);
}

/* The same capture as one of ZigBee, under a network key, a link key and what it carries. */
static void open_zigbee(void *state, const uint8_t *file, const frames_record *records,
                        uint64_t count, uint32_t link)
{
    static const frames_zigbee_key keys[] = {
        {.octets = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
         .kind = FRAMES_ZIGBEE_NETWORK,
         .any_sequence = 1},
        {.octets = {16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31},
         .kind = FRAMES_ZIGBEE_LINK},
    };
    const frames_zigbee_job job = {.frames = draw_job(link, NULL, 0, NULL),
                                   .level = 5,
                                   .replays = (uint8_t)draw(2),
                                   .level_bits = (uint8_t)draw(2)};
    uint8_t *out = malloc(FRAMES_ZIGBEE_ROOM);

    frames_zigbee_begin(state, &job);
    for (uint8_t i = 0; i < 2; i++) {
        demand(frames_zigbee_add(state, keys + i) == i + 1, "there is room for two keys");
    }
    for (uint64_t i = 0; i < count; i++) {
        frames_zigbee_result result;
        frames_zigbee_open(state, file, records + i, i + 1, &result, out);
        demand(result.len <= FRAMES_ZIGBEE_ROOM, "a frame is in its room");
        demand(result.status <= WM_NOT_AUTHENTICATED &&
                   result.status > WM_NOT_AUTHENTICATED - (int)FRAMES_STATUSES,
               "a status is one of wm_status");
        demand(result.layer <= FRAMES_ZIGBEE_APS && result.nwk_key <= FRAMES_ZIGBEE_KEYS &&
                   result.aps_key <= FRAMES_ZIGBEE_KEYS && result.found <= FRAMES_ZIGBEE_KEYS,
               "layers and keys are there");
    }
    free(out);
}

static uint32_t load(const char *name, uint8_t *octets)
{
    FILE *file = fopen(name, "rb");
    demand(file != NULL, name);
    const uint32_t size = (uint32_t)fread(octets, 1, MOST_OCTETS, file);
    fclose(file);
    return size;
}

int main(int count, char **words)
{
    static uint8_t octets[MOST_FILES][MOST_OCTETS];
    uint32_t sizes[MOST_FILES];
    const uint32_t files = count < 4 ? 0 : (uint32_t)count - 3;
    uint64_t frames = 0;

    demand(files != 0 && files <= MOST_FILES, "SEED ROUNDS FILE...");
    seed = (uint32_t)strtoul(words[1], NULL, 10);
    for (uint32_t i = 0; i < files; i++) {
        sizes[i] = load(words[i + 3], octets[i]);
    }
    void *state = aligned_alloc(16, (frames_state_octets() + 15) & ~UINT64_C(15));
    void *zigbee = aligned_alloc(16, (frames_zigbee_octets() + 15) & ~UINT64_C(15));
    for (uint32_t round = (uint32_t)strtoul(words[2], NULL, 10); round != 0; round--) {
        const uint32_t chosen = draw(files);
        uint8_t *whole = malloc(sizes[chosen] + 1);
        memcpy(whole, octets[chosen], sizes[chosen]);
        const uint32_t size = spoil(whole, sizes[chosen]);
        uint8_t *file = malloc(size + (size == 0));
        memcpy(file, whole, size);
        free(whole);
        frames_capture capture;
        frames_record *records = malloc((size / 16 + 1) * sizeof *records);
        (void)frames_index(file, size, &capture, records, size / 16);
        demand(capture.frames <= size / 16, "a sixteenth of the octets is enough");
        through(state, file, records, capture.frames, capture.link_type);
        open_zigbee(zigbee, file, records, capture.frames, capture.link_type);
        frames += capture.frames;
        free(records);
        free(file);
    }
    frames_wipe(state);
    frames_zigbee_wipe(zigbee);
    free(state);
    free(zigbee);
    printf("%llu\n", (unsigned long long)frames);
    return 0;
}
