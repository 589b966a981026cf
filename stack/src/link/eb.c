/* SPDX-License-Identifier: BSD-3-Clause */
/* IEs of an Enhanced Beacon.
 *
 * References: IEEE 802.15.4-2015 7.4.4.2 (TSCH Synchronization), 7.4.4.3 (TSCH Slotframe and Link),
 * 7.4.4.4 (TSCH Timeslot), 7.4.4.31 (Channel Hopping); RFC 8180 appendix A for a minimal EB. The
 * Timeslot IE has 25 octets, or 27 when TsMaxTx or the slot needs a third octet of microseconds. */
#include <stddef.h>
#include <wardmote/octets.h>
#include <wardmote/eb.h>
#include <wardmote/ie.h>
#include "tsch_time.h"

#define SYNC_LEN 6      /* ASN 5 | join metric 1 */
#define TIMESLOT_LEN 25 /* identifier 1 | twelve values of 2 octets */
#define TIMESLOT_LONG_LEN 27
#define LEN_SHORT (WM_EB_LEN_MAX - (TIMESLOT_LONG_LEN - TIMESLOT_LEN))
/* slotframes 1 | handle 1 | size 2 | links 1 | slot 2, channel offset 2, options 1 */
#define SLOTFRAME_LEN 10
#define TEMPLATE_ID 1     /* 0 is the default template of the PHY */
#define LINK_OPTIONS 0x0A /* bit 1 receive, bit 3 timekeeping */
#define CCA_LEAD_US 320u  /* CCA 128 us and turnaround 192 us end where TsTxOffset begins */
#define CCA_US 128u
#define RX_TX_US 192u

const wm_tsch_template wm_tsch_template_default = {
    .ts_tx_offset = WM_TICKS_NEAR(2120),
    .ts_max_tx = WM_TICKS_UP(4256),
    .ts_tx_ack_delay = WM_TICKS_NEAR(1000),
    .ts_max_ack = WM_TICKS_UP(2400),
    .ts_slot_duration = WM_TICKS_NEAR(10000),
    .ts_rx_guard = WM_TICKS_NEAR(1100), /* half of TsRxWait */
    .ts_ack_guard = WM_TICKS_NEAR(200), /* half of TsAckWait */
};

/* TsRxOffset and TsRxAckDelay are not before what they count from. */
static bool guards_fit(const wm_tsch_template *t)
{
    return t->ts_rx_guard <= t->ts_tx_offset && t->ts_ack_guard <= t->ts_tx_ack_delay;
}

static uint8_t *put_us(uint8_t *p, uint32_t us)
{
    wm_store_le16(p, (uint16_t)us);
    return p + 2;
}

static uint32_t us_before(uint16_t ticks, uint16_t before)
{
    return wm_ticks_to_us((uint16_t)(ticks - before));
}

/* Does TsMaxTx or the slot need a third octet of microseconds? */
static bool needs_third(const wm_tsch_template *t)
{
    return wm_ticks_to_us(t->ts_max_tx) > 0xFFFFu || wm_ticks_to_us(t->ts_slot_duration) > 0xFFFFu;
}

static uint8_t *put_timeslot(const wm_tsch_template *t, uint8_t *p)
{
    const uint32_t tx_offset = wm_ticks_to_us(t->ts_tx_offset);
    const uint32_t max_tx = wm_ticks_to_us(t->ts_max_tx);
    const uint32_t length = wm_ticks_to_us(t->ts_slot_duration);
    const bool third = needs_third(t);

    *p++ = third ? TIMESLOT_LONG_LEN : TIMESLOT_LEN;
    *p++ = WM_IE_TSCH_TIMESLOT;
    *p++ = TEMPLATE_ID;
    p = put_us(p, tx_offset > CCA_LEAD_US ? tx_offset - CCA_LEAD_US : 0u); /* macTsCcaOffset */
    p = put_us(p, CCA_US);                                                 /* macTsCca */
    p = put_us(p, tx_offset);                                              /* macTsTxOffset */
    p = put_us(p, us_before(t->ts_tx_offset, t->ts_rx_guard));             /* macTsRxOffset */
    p = put_us(p, us_before(t->ts_tx_ack_delay, t->ts_ack_guard));         /* macTsRxAckDelay */
    p = put_us(p, wm_ticks_to_us(t->ts_tx_ack_delay));                     /* macTsTxAckDelay */
    p = put_us(p, wm_ticks_to_us((uint16_t)(t->ts_rx_guard << 1)));        /* macTsRxWait */
    p = put_us(p, wm_ticks_to_us((uint16_t)(t->ts_ack_guard << 1)));       /* macTsAckWait */
    p = put_us(p, RX_TX_US);                                               /* macTsRxTx */
    p = put_us(p, wm_ticks_to_us(t->ts_max_ack));                          /* macTsMaxAck */
    p = put_us(p, max_tx);                                                 /* macTsMaxTx */
    if (third) {
        *p++ = (uint8_t)(max_tx >> 16);
    }
    p = put_us(p, length); /* macTsTimeslotLength */
    if (third) {
        *p++ = (uint8_t)(length >> 16);
    }
    return p;
}

wm_status wm_eb_build(const wm_eb *eb, uint8_t *out, wm_psdu_len size, wm_psdu_len *len)
{
    uint8_t *p = out + 4;
    uint8_t i;

    if (!guards_fit(&eb->timing)) {
        return WM_ERR_PARAM;
    }
    if (size < WM_EB_LEN_MAX && (size < LEN_SHORT || needs_third(&eb->timing))) {
        return WM_ERR_FRAME_TOO_LONG;
    }
    *p++ = SYNC_LEN;
    *p++ = WM_IE_TSCH_SYNC;
    for (i = 5; i != 0; i--) {
        *p++ = eb->asn[i - 1u]; /* least significant octet first */
    }
    *p++ = eb->join_metric;
    p = put_timeslot(&eb->timing, p);
    wm_store_le16(p, (uint16_t)(0x8000u | WM_IE_CHANNEL_HOPPING << 11 | 1u));
    p[2] = eb->hopping_id;
    p += 3;
    *p++ = SLOTFRAME_LEN;
    *p++ = WM_IE_SLOTFRAME_LINK;
    *p++ = 1; /* slotframes */
    *p++ = 0; /* handle */
    wm_store_le16(p, eb->slotframe_length);
    p[2] = 1;                /* links */
    wm_store_le16(p + 3, 0); /* slot offset */
    wm_store_le16(p + 5, 0); /* channel offset */
    p[7] = LINK_OPTIONS;
    p += 8;
    wm_store_le16(out, (uint16_t)(WM_IE_HT1 << 7));
    wm_store_le16(out + 2, (uint16_t)(0x8000u | WM_IE_GROUP_MLME << 11 | (uint16_t)(p - out - 4)));
    *len = (wm_psdu_len)(p - out);
    return WM_OK;
}

/* The nested IEs of the first MLME IE among the payload IEs. */
static wm_status find_mlme(const uint8_t *payload, wm_psdu_len len, wm_ie_list *nested)
{
    wm_ie_list list = {payload, len};
    wm_ie ie;

    do {
        const wm_status status = wm_ie_next_payload(&list, &ie);
        if (status != WM_OK) {
            return status;
        }
        if (ie.content == NULL || ie.id == WM_IE_GROUP_TERMINATION) {
            return WM_ERR_MALFORMED;
        }
    } while (ie.id != WM_IE_GROUP_MLME);
    nested->at = ie.content;
    nested->left = (wm_psdu_len)ie.len; /* within `len` */
    return WM_OK;
}

static wm_status take_sync(const wm_ie *ie, uint8_t asn[5])
{
    uint8_t i;

    if (ie->len != SYNC_LEN) {
        return WM_ERR_MALFORMED;
    }
    for (i = 0; i < 5; i++) {
        asn[4u - i] = ie->content[i];
    }
    return WM_OK;
}

static uint16_t get_ticks(const uint8_t *p)
{
    return wm_us_to_ticks(wm_load_le16(p));
}

static wm_status take_timeslot(const wm_ie *ie, wm_tsch_template *t)
{
    const uint8_t *p = ie->content;
    uint32_t max_tx;
    uint32_t length;

    if (ie->len == 1) {
        *t = wm_tsch_template_default;
        return p[0] == 0 ? WM_OK : WM_ERR_PARAM;
    }
    if (ie->len != TIMESLOT_LEN && ie->len != TIMESLOT_LONG_LEN) {
        return WM_ERR_MALFORMED;
    }
    max_tx = wm_load_le16(p + 21);
    length = wm_load_le16(p + 23);
    if (ie->len == TIMESLOT_LONG_LEN) {
        max_tx |= (uint32_t)p[23] << 16;
        length = wm_load_le16(p + 24) | (uint32_t)p[26] << 16;
    }
    t->ts_tx_offset = get_ticks(p + 5);
    t->ts_tx_ack_delay = get_ticks(p + 11);
    t->ts_rx_guard = get_ticks(p + 13) >> 1;
    t->ts_ack_guard = get_ticks(p + 15) >> 1;
    t->ts_max_ack = get_ticks(p + 19);
    t->ts_max_tx = wm_us_to_ticks(max_tx);
    t->ts_slot_duration = wm_us_to_ticks(length);
    /* one second is the reach of the alarm */
    return max_tx > 1000000u || length > 1000000u || !guards_fit(t) ? WM_ERR_PARAM : WM_OK;
}

static wm_status take_slotframe(const wm_ie *ie, uint16_t *length)
{
    /* Number of slotframes first: with none there is nothing behind it. */
    if (ie->len < 1) {
        return WM_ERR_MALFORMED;
    }
    if (ie->content[0] != 1) {
        return WM_ERR_PARAM;
    }
    if (ie->len < 5) {
        return WM_ERR_MALFORMED;
    }
    *length = wm_load_le16(ie->content + 2);
    return ie->len == 5u + 5u * ie->content[4] ? WM_OK : WM_ERR_MALFORMED;
}

static wm_status take_hopping(const wm_ie *ie, uint8_t *id)
{
    if (ie->len < 1) {
        return WM_ERR_MALFORMED;
    }
    *id = ie->content[0];
    return *id == 0 ? WM_OK : WM_ERR_PARAM;
}

#define SEEN_SYNC 1u
#define SEEN_TIMESLOT 2u
#define SEEN_SLOTFRAME 4u
#define SEEN_HOPPING 8u
#define SEEN_ALL 15u

static uint8_t kind_of(const wm_ie *ie)
{
    if (ie->long_format) {
        return ie->id == WM_IE_CHANNEL_HOPPING ? SEEN_HOPPING : 0;
    }
    switch (ie->id) {
    case WM_IE_TSCH_SYNC:
        return SEEN_SYNC;
    case WM_IE_TSCH_TIMESLOT:
        return SEEN_TIMESLOT;
    case WM_IE_SLOTFRAME_LINK:
        return SEEN_SLOTFRAME;
    default:
        return 0;
    }
}

/* Each of the four may come once: the ASN that made the nonce (wm_eb_asn) must be the ASN believed
 * here. */
static wm_status take_nested(const wm_ie *ie, wm_eb *eb, uint8_t *seen)
{
    const uint8_t kind = kind_of(ie);

    if ((*seen & kind) != 0) {
        return WM_ERR_MALFORMED;
    }
    *seen |= kind;
    switch (kind) {
    case SEEN_SYNC:
        eb->join_metric = ie->len == SYNC_LEN ? ie->content[5] : 0;
        return take_sync(ie, eb->asn);
    case SEEN_TIMESLOT:
        return take_timeslot(ie, &eb->timing);
    case SEEN_SLOTFRAME:
        return take_slotframe(ie, &eb->slotframe_length);
    case SEEN_HOPPING:
        return take_hopping(ie, &eb->hopping_id);
    default:
        return WM_OK;
    }
}

wm_status wm_eb_parse(const uint8_t *payload, wm_psdu_len len, wm_eb *eb)
{
    wm_ie_list nested;
    wm_ie ie;
    uint8_t seen = 0;
    wm_status status = find_mlme(payload, len, &nested);

    while (status == WM_OK) {
        status = wm_ie_next_nested(&nested, &ie);
        if (status == WM_OK && ie.content == NULL) {
            return seen == SEEN_ALL ? WM_OK : WM_ERR_MALFORMED;
        }
        if (status == WM_OK) {
            status = take_nested(&ie, eb, &seen);
        }
    }
    return status;
}

wm_status wm_eb_asn(const uint8_t *payload, wm_psdu_len len, uint8_t asn[5])
{
    wm_ie_list nested;
    wm_ie ie;
    wm_status status = find_mlme(payload, len, &nested);

    while (status == WM_OK) {
        status = wm_ie_next_nested(&nested, &ie);
        if (status == WM_OK && ie.content == NULL) {
            return WM_ERR_MALFORMED;
        }
        if (status == WM_OK && !ie.long_format && ie.id == WM_IE_TSCH_SYNC) {
            return take_sync(&ie, asn);
        }
    }
    return status;
}
