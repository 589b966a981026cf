/* SPDX-License-Identifier: BSD-3-Clause */
/* The TSCH engine against a peer that sends anything, through the port double of tests/stack/link.
 *
 * The input configures a node, then tells what happens: the alarm goes off, time passes, a frame
 * begins, a frame ends. Frames are Enhanced Beacons, data or Enh-Acks that the keys' holder made,
 * changed or not, or octets of the input. Judged after every event: the configuration never holds a
 * template or slotframe that cannot work; the ASN never goes back; no nonce is used twice; a frame
 * with a wrong MIC moves neither counters, nor time, nor the state of joining. */
#include "eb.h"
#include "harness.h"
#include "tsch_engine.h"
#include "tsch_time.h"

/* Of port_double.c. */
typedef struct port_double_table {
    uint16_t (*ticks)(void);
    uint8_t (*alarm)(uint16_t tick);
    void (*radio)(uint8_t what, uint8_t channel);
    void (*work)(uint8_t what);
    void (*mark)(uint8_t phase, uint8_t begin);
} port_double_table;
void port_double_hooks(const port_double_table *table);
void port_double_run_as(uint8_t node);
wm_tsch *port_double_tsch(uint8_t node);
void port_double_deliver(uint8_t node, const uint8_t *frame, uint8_t len, uint8_t fcs_ok);
void wm_port_key(uint8_t slot, const uint8_t key[16]);

#define EVENTS_MAX 32
/* position 0 of the hopping sequence: beacons fall on it whatever the slotframe's length */
#define JOIN_CHANNEL 16

static struct {
    wm_tsch *tsch;
    uint16_t now, alarm;
    uint8_t cpu; /* ticks that securing or unsecuring takes */
    bool armed;
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

static void radio(uint8_t what, uint8_t channel)
{
    FUZZ_REQUIRE(what != 0 || (channel >= 11 && channel <= 26));
}

/* Before each frame is secured: is its nonce behind the last one? All ones is refused by the nonce
 * itself. */
static void work(uint8_t what)
{
    const wm_frame_job *job = &world.tsch->tx;

    world.now = (uint16_t)(world.now + world.cpu);
    if (what != 0 || !job->mhr.security_enabled) {
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
    config->join_channel = JOIN_CHANNEL;
    config->pan = 0xABCD;
    for (i = 0; i < 8; i++) {
        config->eui64[i] = i;
        config->peer[i] = (uint8_t)(0x80u + i);
        config->key_source[i] = (uint8_t)(0x40u + i);
    }
    config->beacon_key_index = 1;
    config->data_key_index = 2;
    config->slotframe_length = (uint16_t)(2u + (levels >> 3));
    config->frame_len = (uint8_t)(60u + (choice >> 5) * 8u);
    config->timing = wm_tsch_template_default;
}

/* A frame of the peer, in clear, as its octets say: FCF, addresses, ASH, content. */
static uint8_t peer_frame(fuzz_input *in, uint8_t type, uint8_t out[WM_FRAME_MAX], wm_mhr *mhr,
                          uint8_t eb_asn[5])
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
    mhr->dst_pan = config->pan;
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
        more = wm_eb_build(&eb, eb_octets);
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

/* Delivers a frame whose MIC is right or, `broken`, wrong. False if nothing could be made. */
static bool deliver(fuzz_input *in, uint8_t choice, bool *authentic)
{
    uint8_t frame[WM_PSDU_MAX] = {0};
    uint8_t len;
    uint8_t type = choice & 3u;
    wm_mhr mhr;
    wm_security sec = {.cipher = &wm_aes128_tab, .nonce_form = WM_NONCE_COUNTER};

    *authentic = true;
    if (type == 3) {
        len = fuzz_u8(in) & 0x7Fu;
        fuzz_octets(in, frame, len);
        port_double_deliver(0, frame, len, (choice & 0x40u) == 0);
        *authentic = world.tsch->config.level == 0;
        return true;
    }
    memcpy(sec.asn, world.tsch->asn, 5);
    len = peer_frame(in, type, frame, &mhr, sec.asn);
    if (world.tsch->stats.joined != 0) {
        memcpy(sec.asn, world.tsch->asn, 5);
    }
    sec.profile = (wm_profile)world.tsch->config.profile;
    sec.nonce_form = world.tsch->config.counter_carried ? WM_NONCE_COUNTER : WM_NONCE_ASN;
    sec.key = fuzz_key(type == WM_FRAME_BEACON ? WM_KEY_BEACON : WM_KEY_DATA);
    if (wm_frame_secure(&sec, frame, &len) != WM_OK) {
        return false;
    }
    if ((choice & 0x20u) != 0) {
        const uint8_t flip = fuzz_u8(in);
        const uint8_t change = fuzz_u8(in);
        frame[flip % len] ^= change;
        *authentic = change == 0 || !mhr.security_enabled || mhr.ash.level == 4;
    }
    port_double_deliver(0, frame, len, (choice & 0x40u) == 0);
    return true;
}

/* The frame that was delivered ends. What an attacker sent must leave no trace but a count of
 * refusals. */
static void end_frame(bool authentic)
{
    wm_tsch *tsch = world.tsch;
    const wm_tsch before = *tsch;

    wm_tsch_on_frame_end(tsch, world.now);
    if (authentic) {
        return;
    }
    FUZZ_REQUIRE(memcmp(before.rx_counter, tsch->rx_counter, sizeof before.rx_counter) == 0);
    FUZZ_REQUIRE(memcmp(&before.config, &tsch->config, sizeof before.config) == 0);
    FUZZ_REQUIRE(tsch->stats.joined <= before.stats.joined);
    FUZZ_REQUIRE(before.stats.data_received == tsch->stats.data_received);
    FUZZ_REQUIRE(before.stats.data_acked == tsch->stats.data_acked);
    FUZZ_REQUIRE(before.stats.beacons_received == tsch->stats.beacons_received);
    FUZZ_REQUIRE(before.stats.correction_us == tsch->stats.correction_us);
    if (tsch->stats.refused != before.stats.refused) {
        FUZZ_REQUIRE(tsch->rx.len == 0 && fuzz_all(tsch->rx_frame, WM_PSDU_MAX, 0));
    }
}

static void happen(fuzz_input *in)
{
    const uint8_t what = fuzz_u8(in);
    wm_tsch *tsch = world.tsch;
    bool authentic = true;

    switch (what & 3u) {
    case 0:
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
        wm_tsch_on_frame_start(tsch, (uint16_t)(world.now - (what >> 2)));
        break;
    default:
        if ((what & 0x80u) != 0 || deliver(in, what >> 2, &authentic)) {
            end_frame(authentic);
        }
    }
}

static void judge_node(void)
{
    const wm_tsch *tsch = world.tsch;
    const wm_tsch_config *config = &tsch->config;

    FUZZ_REQUIRE(tsch->state <= WM_TSCH_ACK_SEND);
    FUZZ_REQUIRE(config->slotframe_length >= 2 && config->slotframe_length <= 0x7FFF);
    FUZZ_REQUIRE(wm_tsch_template_valid(&config->timing, config->frame_len));
    FUZZ_REQUIRE(tsch->tail_limit == wm_tsch_tail_limit(&config->timing));
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
    wm_tsch_config config;
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
    take_config(&in, &config);
    if (wm_tsch_init(world.tsch, &config) != WM_OK) {
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
