/* SPDX-License-Identifier: BSD-3-Clause */
/* The TSCH engine against a peer that sends anything, through the port double of tests/stack/link. The
 * node secures at once, or works ahead of the slot: then frames arrive in pieces, and it does some of
 * the work that it could do between two events.
 *
 * The input configures a node, then tells what happens: the alarm goes off, time passes, a frame
 * begins, a frame ends, the node is started once more, the node reboots and resumes. Frames are
 * Enhanced Beacons, data or Enh-Acks of the peer, of this PAN or another, changed or not, or octets
 * of the input. Judged after every event: the configuration never holds a template or slotframe
 * that cannot work; the ASN never goes back; no nonce is used twice, over reboots too; a frame that
 * no MIC proves moves neither counters, nor time, nor the state of joining. */
#include <wardmote/eb.h>
#include "../stack/link/ahead_double.h"
#include "../stack/link/port_double.h"
#include "harness.h"
#include "tsch_engine.h"
#include "tsch_time.h"

#define EVENTS_MAX 32
/* position 0 of the hopping sequence: beacons fall on it whatever the slotframe's length */
#define JOIN_CHANNEL 16
#define PAN 0xABCD
#define OTHER_PAN 0x1234

static struct {
    wm_tsch *tsch;
    uint16_t now, alarm;
    uint8_t cpu; /* ticks that securing or unsecuring takes */
    bool armed;
    bool ahead;     /* the node works ahead of the slot */
    bool arriving;  /* a frame was delivered and has not ended */
    bool authentic; /* and the peer made it */
    wm_tsch_config config;
    bool any_asn; /* a nonce with an ASN was used, and which was the last */
    uint8_t last_asn[5];
    bool any_counter; /* the same for counters */
    uint32_t last_counter;
} world;

static uint16_t ticks_now(void)
{
    return world.now;
}

static uint8_t arm(uint16_t tick)
{
    if ((int16_t)(tick - world.now) <= 0) {
        return 0;
    }
    world.alarm = tick;
    world.armed = true;
    return 1;
}

/* Of each frame that is secured: is its nonce behind the last one? All ones is refused by the nonce
 * itself. */
static void judge_nonce(void)
{
    const wm_frame_job *job = &world.tsch->tx;

    if (!job->mhr.security_enabled) {
        return;
    }
    if (job->nonce_form == WM_NONCE_ASN) {
        if (world.any_asn && !fuzz_all(job->asn, 5, 0xFF)) {
            FUZZ_REQUIRE(wm_asn_less(world.last_asn, job->asn));
        }
        world.any_asn = true;
        memcpy(world.last_asn, job->asn, 5);
    } else {
        const uint32_t counter = job->mhr.ash.frame_counter;
        FUZZ_REQUIRE(!world.any_counter || counter == UINT32_MAX || counter > world.last_counter);
        world.any_counter = true;
        world.last_counter = counter;
    }
}

static void radio(uint8_t what, uint8_t channel)
{
    FUZZ_REQUIRE(what != 0 || (channel >= 11 && channel <= 26));
}

static void work(uint8_t what)
{
    world.now = (uint16_t)(world.now + world.cpu);
    world.now += what == 2 && world.cpu == 0; /* who waits for octets sees time pass */
    if (what == 0) {
        judge_nonce();
    }
}

static void mark(uint8_t phase, uint8_t begin)
{
    FUZZ_REQUIRE(phase <= WM_MARK_SLOT && begin <= 1);
}

static void take_config(fuzz_input *in, wm_tsch_config *config)
{
    const uint8_t choice = fuzz_u8(in);
    const uint8_t levels = fuzz_u8(in);
    uint8_t i;

    memset(config, 0, sizeof *config);
    config->role = choice & 1u;
    config->counter_carried = (choice & 2u) != 0;
    config->profile = (choice & 4u) != 0 ? WM_PROFILE_2011 : WM_PROFILE_2015;
    config->key_id_mode = choice >> 3 & 3u;
    config->level = levels & 7u;
    config->unsecured = config->level == 0;
    config->join_channel = JOIN_CHANNEL;
    config->pan = PAN;
    memset(config->join_asn_max, 0xFF, 5);
    for (i = 0; i < 8; i++) {
        config->eui64[i] = i;
        config->peer[i] = (uint8_t)(0x80u + i);
        config->key_source[i] = (uint8_t)(0x40u + i);
    }
    config->beacon_key_index = 1;
    config->data_key_index = 2;
    config->slotframe_length = (uint16_t)(2u + (levels >> 3));
    config->data_cells = fuzz_u16(in);
    config->data_every = fuzz_u16(in);
    config->beacon_every = fuzz_u16(in);
    config->keep_alive = fuzz_u32(in);
    config->frame_len = fuzz_u8(in);
    config->timing = wm_tsch_template_default;
}

/* A frame of the peer, in clear, as its octets say: FCF, addresses, ASH, content. */
static uint8_t peer_frame(fuzz_input *in, uint8_t type, uint16_t pan, uint8_t out[WM_FRAME_MAX],
                          wm_mhr *mhr, uint8_t eb_asn[5])
{
    const wm_tsch_config *config = &world.tsch->config;
    uint8_t eb_octets[WM_EB_LEN_MAX];
    uint8_t len = 0;
    uint8_t more;
    wm_eb eb;

    memset(mhr, 0, sizeof *mhr);
    mhr->type = type;
    mhr->version = WM_VERSION_2015;
    mhr->security_enabled = config->level != 0;
    mhr->ack_request = type == WM_FRAME_DATA;
    mhr->pan_id_compression = type == WM_FRAME_BEACON;
    mhr->ie_present = type != WM_FRAME_DATA;
    mhr->seq = type == WM_FRAME_ACK ? world.tsch->seq : fuzz_u8(in);
    mhr->dst_pan = pan;
    mhr->src.mode = WM_ADDR_EXT;
    memcpy(mhr->src.octet, config->peer, 8);
    mhr->dst.mode = type == WM_FRAME_BEACON ? WM_ADDR_SHORT : WM_ADDR_EXT;
    memcpy(mhr->dst.octet, config->eui64, 8);
    if (type == WM_FRAME_BEACON) {
        memset(mhr->dst.octet, 0xFF, 2);
    }
    mhr->ash.level = type == WM_FRAME_BEACON ? WM_EB_LEVEL : config->level;
    mhr->ash.key_id_mode = config->key_id_mode;
    mhr->ash.counter_suppressed = mhr->ash.asn_in_nonce = !config->counter_carried;
    mhr->ash.frame_counter = config->counter_carried ? fuzz_u32(in) : 0;
    memcpy(mhr->ash.key_source, config->key_source, 8);
    mhr->ash.key_index =
        type == WM_FRAME_BEACON ? config->beacon_key_index : config->data_key_index;
    FUZZ_REQUIRE(wm_mhr_build(mhr, out, WM_FRAME_MAX, &len) == WM_OK);
    if (type == WM_FRAME_BEACON) {
        memset(&eb, 0, sizeof eb);
        fuzz_octets(in, eb.asn, 5);
        if ((eb.asn[0] & 0x80u) == 0) { /* mostly near the ASN that the node counts */
            memcpy(eb.asn, world.tsch->asn, 4);
        }
        eb.slotframe_length = fuzz_u8(in) & 7u;
        eb.timing = config->timing;
        eb.timing.ts_tx_offset = (uint16_t)(eb.timing.ts_tx_offset + (fuzz_u8(in) & 7u));
        memcpy(eb_asn, eb.asn, 5);
        FUZZ_REQUIRE(wm_eb_build(&eb, eb_octets, sizeof eb_octets, &more) == WM_OK);
        eb_octets[4 + fuzz_u8(in) % (more - 4u)] ^= fuzz_u8(in);
        memcpy(out + len, eb_octets, more);
        return (uint8_t)(len + more);
    }
    if (type == WM_FRAME_ACK) {
        const uint8_t correction[4] = {0x02, 0x0F, fuzz_u8(in), fuzz_u8(in)};
        memcpy(out + len, correction, 4);
        return (uint8_t)(len + 4u);
    }
    more = fuzz_u8(in) & 0x1Fu;
    fuzz_octets(in, out + len, more);
    return (uint8_t)(len + more);
}

/* Level 4 has no MIC: nobody can tell who made such a frame. */
static bool proven(const wm_mhr *mhr)
{
    return !mhr->security_enabled || wm_level_mic_len(mhr->ash.level) != 0;
}

/* Delivers a frame of the peer, as it was made or changed, or any octets. `authentic`: the peer made
 * it in this PAN, and its MIC says so, or the network has no security. False if nothing could be
 * made. */
static bool deliver(fuzz_input *in, bool *authentic)
{
    const uint8_t choice = fuzz_u8(in);
    const bool foreign = (choice & 0x0Cu) == 0x0Cu;
    uint8_t frame[WM_PSDU_MAX] = {0};
    uint8_t len;
    uint8_t type = choice & 3u;
    wm_mhr mhr;
    wm_security sec = {.nonce_form = WM_NONCE_COUNTER};

    if (type == 3) {
        len = fuzz_u8(in) & 0x7Fu;
        fuzz_octets(in, frame, len);
        port_double_deliver(0, frame, len, (choice & 0x40u) == 0);
        *authentic = world.config.level == 0;
        return true;
    }
    memcpy(sec.asn, world.tsch->asn, 5);
    len = peer_frame(in, type, foreign ? OTHER_PAN : world.config.pan, frame, &mhr, sec.asn);
    if (world.tsch->stats.joined != 0) {
        memcpy(sec.asn, world.tsch->asn, 5);
    }
    sec.profile = (wm_profile)world.config.profile;
    sec.nonce_form = world.config.counter_carried ? WM_NONCE_COUNTER : WM_NONCE_ASN;
    sec.cipher = fuzz_key(type == WM_FRAME_BEACON ? WM_KEY_BEACON : WM_KEY_DATA);
    if (wm_frame_secure(&sec, frame, sizeof frame, &len) < 0) {
        return false;
    }
    *authentic = proven(&mhr) && !foreign;
    if ((choice & 0x20u) != 0) {
        const uint8_t flip = fuzz_u8(in);
        const uint8_t change = fuzz_u8(in);
        frame[flip % len] ^= change;
        *authentic = *authentic && (change == 0 || !mhr.security_enabled);
    }
    port_double_deliver(0, frame, len, (choice & 0x40u) == 0);
    return true;
}

/* Slots that have passed since, and slotframes that ended with them. */
static uint16_t slots_since(const wm_tsch *before)
{
    return (uint16_t)((world.tsch->asn[3] << 8 | world.tsch->asn[4]) -
                      (before->asn[3] << 8 | before->asn[4]));
}

/* Time went on by whole slots, as it does by itself. At its end the ASN stands still. */
static void judge_time(const wm_tsch *before)
{
    const wm_tsch *tsch = world.tsch;
    const uint16_t slots = slots_since(before);
    const uint32_t passed = (uint32_t)slots * before->config.timing.ts_slot_duration;

    FUZZ_REQUIRE(tsch->shift == 0 || tsch->shift == before->shift);
    FUZZ_REQUIRE(tsch->stats.correction_us == before->stats.correction_us);
    if (before->asn[0] == 0xFF) {
        return;
    }
    FUZZ_REQUIRE(slots == 0 ? tsch->slot_start == before->slot_start
                            : (uint16_t)(tsch->slot_start - before->slot_start - before->shift) ==
                                  (uint16_t)passed);
    FUZZ_REQUIRE(tsch->sync_left == (before->sync_left > passed ? before->sync_left - passed : 0));
}

/* An attacker's frames must leave no trace except counts, and an Enh-Ack where nobody can tell the
 * difference. */
static void judge_unproven(const wm_tsch *before)
{
    const wm_tsch *tsch = world.tsch;
    const bool believed = world.config.level == 4;

    FUZZ_REQUIRE(memcmp(before->rx_counter, tsch->rx_counter, sizeof before->rx_counter) == 0);
    FUZZ_REQUIRE(memcmp(&before->config, &tsch->config, sizeof before->config) == 0);
    FUZZ_REQUIRE(before->tail_limit == tsch->tail_limit);
    FUZZ_REQUIRE(tsch->stats.joined <= before->stats.joined);
    FUZZ_REQUIRE(before->stats.beacons_received == tsch->stats.beacons_received);
    FUZZ_REQUIRE(before->stats.beacons_sent == tsch->stats.beacons_sent ||
                 before->state == WM_TSCH_TX_FRAME);
    if (!believed) {
        FUZZ_REQUIRE(before->stats.data_received == tsch->stats.data_received);
        FUZZ_REQUIRE(before->stats.data_acked == tsch->stats.data_acked);
        FUZZ_REQUIRE(before->tx_counter == tsch->tx_counter && before->seq == tsch->seq);
    }
    judge_time(before);
    if (tsch->stats.refused != before->stats.refused && tsch->stats.last_error != 0) {
        FUZZ_REQUIRE(believed || (tsch->rx.len == 0 && fuzz_all(tsch->rx_frame, WM_PSDU_MAX, 0)));
    }
}

/* The frame that was delivered ends. */
static void end_frame(bool authentic)
{
    const wm_tsch before = *world.tsch;

    wm_tsch_on_frame_end(world.tsch, world.now);
    world.arriving = false;
    if (!authentic) {
        judge_unproven(&before);
    }
}

/* A frame begins. It is there at once only if the node secures at once. */
static void begin_frame(fuzz_input *in, uint16_t since)
{
    if (world.ahead && !world.arriving && deliver(in, &world.authentic)) {
        world.arriving = true;
        ahead_double_arrives(0, 1u + (fuzz_u8(in) & 0x7Fu));
    }
    wm_tsch_on_frame_start(world.tsch, (uint16_t)(world.now - since));
}

/* Whether a counter is what it was, or one more. */
static bool counted_once(uint16_t before, uint16_t after)
{
    return (uint16_t)(after - before) <= 1;
}

/* Some of the work that the node could do. Nothing of a frame that has not ended moves what only an
 * authentic one may. One that is given up, because its Enh-Ack or the slot would be late, is counted.
 * The plan for the next cell may use up the counters of cells that have passed: those of a slotframe
 * at most. */
static void work_ahead(fuzz_input *in)
{
    wm_tsch before = *world.tsch;
    const wm_tsch_stats *stats = &world.tsch->stats;
    const uint8_t some = fuzz_u8(in);
    uint8_t left = some & 0x0Fu;

    if (world.arriving && (some & 0x80u) != 0) {
        ahead_double_arrives(0, 0); /* all of it */
    }
    while (left-- != 0 && ahead_double_work(0)) {
    }
    FUZZ_REQUIRE(counted_once(before.stats.late_tx_ack_delay, stats->late_tx_ack_delay));
    FUZZ_REQUIRE(counted_once(before.stats.late_slot, stats->late_slot));
    before.stats.late_tx_ack_delay = stats->late_tx_ack_delay;
    before.stats.late_slot = stats->late_slot;
    FUZZ_REQUIRE(memcmp(&before.stats, stats, sizeof before.stats) == 0);
    FUZZ_REQUIRE(memcmp(before.rx_counter, world.tsch->rx_counter, sizeof before.rx_counter) == 0);
    FUZZ_REQUIRE(world.tsch->tx_counter - before.tx_counter <= before.config.slotframe_length);
    FUZZ_REQUIRE(before.state == world.tsch->state);
    FUZZ_REQUIRE(memcmp(before.asn, world.tsch->asn, sizeof before.asn) == 0);
}

/* The node's RAM is lost. What it resumes with is what a store kept: nothing that was used. */
static void reboot(void)
{
    wm_tsch *tsch = world.tsch;
    wm_tsch_resumption from = {.tx_counter = tsch->tx_counter};

    memcpy(from.rx_counter, tsch->rx_counter, sizeof from.rx_counter);
    memcpy(from.asn, tsch->asn, 5);
    wm_asn_increment(from.asn);
    world.armed = false;
    FUZZ_REQUIRE(wm_tsch_init(tsch, &world.config) == WM_OK);
    FUZZ_REQUIRE(wm_tsch_resume(tsch, &from) == WM_OK);
    wm_tsch_start(tsch);
}

static void happen(fuzz_input *in)
{
    const uint8_t what = fuzz_u8(in);
    wm_tsch *tsch = world.tsch;
    bool authentic = true;

    switch (what & 7u) {
    case 0:
    case 4:
        if (world.armed) {
            world.now = (uint16_t)(world.alarm + (what >> 6));
            world.armed = false;
            wm_tsch_on_alarm(tsch);
        }
        break;
    case 1:
        world.now = (uint16_t)(world.now + fuzz_u8(in));
        break;
    case 2:
        begin_frame(in, what >> 2);
        break;
    case 5:
        wm_tsch_start(tsch);
        break;
    case 6:
        reboot();
        break;
    default:
        if (world.arriving) {
            end_frame(world.authentic);
        } else if ((what & 0x80u) != 0 || deliver(in, &authentic)) {
            end_frame(authentic);
        }
    }
    if (world.ahead) {
        work_ahead(in);
    }
}

static void judge_node(void)
{
    const wm_tsch *tsch = world.tsch;
    const wm_tsch_config *config = &tsch->config;
    const uint16_t every = config->role == WM_TSCH_ROOT ? config->beacon_every : config->data_every;

    FUZZ_REQUIRE(tsch->state <= WM_TSCH_ACK_SEND);
    FUZZ_REQUIRE(config->slotframe_length >= 2 && config->slotframe_length <= 0x7FFF);
    FUZZ_REQUIRE(wm_tsch_template_valid(&config->timing, config->frame_len));
    FUZZ_REQUIRE(tsch->tail_limit == wm_tsch_tail_limit(&config->timing));
    FUZZ_REQUIRE(config->data_cells != 0 && config->frame_len <= WM_PSDU_MAX);
    FUZZ_REQUIRE(tsch->skipped == 0 || tsch->skipped < every);
    FUZZ_REQUIRE(tsch->slot_offset < config->slotframe_length &&
                 tsch->channel_index < WM_HOPPING_LEN);
    /* at the end of time the ASN stands still, slots do not */
    if (tsch->stats.joined != 0 && tsch->asn[0] != 0xFF) {
        FUZZ_REQUIRE(tsch->slot_offset == wm_asn_mod(tsch->asn, config->slotframe_length));
        FUZZ_REQUIRE(tsch->channel_index == (tsch->asn[4] & (WM_HOPPING_LEN - 1u)));
    }
    FUZZ_REQUIRE(world.armed || tsch->state == WM_TSCH_OFF || tsch->state == WM_TSCH_SCAN);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const port_double_table table = {ticks_now, arm, radio, work, mark};
    fuzz_input in = {data, size};
    wm_tsch_resumption from = {.rx_counter = {0, 9}};
    uint8_t asn[5];
    uint8_t age;
    unsigned events = 0;

    memset(&world, 0, sizeof world);
    port_double_hooks(&table);
    port_double_run_as(0);
    world.tsch = port_double_tsch(0);
    world.now = fuzz_u16(&in);
    age = fuzz_u8(&in);
    world.cpu = age & 0x3Fu;
    world.ahead = (age & 0x80u) != 0;
    if (world.ahead) {
        ahead_double_use(0);
    }
    take_config(&in, &world.config);
    if (wm_tsch_init(world.tsch, &world.config) != WM_OK) {
        return FUZZ_USELESS;
    }
    wm_port_key(WM_KEY_BEACON, fuzz_key_octets(WM_KEY_BEACON));
    wm_port_key(WM_KEY_DATA, fuzz_key_octets(WM_KEY_DATA));
    fuzz_octets(&in, from.asn, 2); /* far along, so that counters of any size are met */
    if ((age & 0x40u) != 0) {      /* near their end */
        from.tx_counter = UINT32_MAX - 2u;
        memset(from.asn, 0xFF, 4);
        from.asn[4] = 0xFC;
    }
    FUZZ_REQUIRE(wm_tsch_resume(world.tsch, &from) == WM_OK);
    wm_tsch_start(world.tsch);
    while (in.left != 0 && events++ < EVENTS_MAX) {
        memcpy(asn, world.tsch->asn, 5);
        happen(&in);
        judge_node();
        FUZZ_REQUIRE(!wm_asn_less(world.tsch->asn, asn));
    }
    return FUZZ_TAKEN;
}
