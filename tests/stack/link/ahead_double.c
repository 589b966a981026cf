/* SPDX-License-Identifier: BSD-3-Clause */
/* A radio whose frames arrive and leave octet by octet. */
#include "ahead_double.h"
#include <stddef.h>
#include <wardmote/ct.h>
#include "port_double.h"
#include "../../../stack/src/link/tsch_ahead.h"

#define NODES 2
#define FCS_RIGHT 0x80u

typedef struct ahead_double_node {
    wm_ahead ahead;
    wm_psdu_len read, limit; /* octets of the received frame; limit 0: all */
} ahead_double_node;

static ahead_double_node nodes[NODES];
static const ahead_double_eye *eye; /* NULL: nobody looks */

/* A key of the double's whose blocks are seen. */
typedef struct seen_key {
    wm_cipher cipher;
    struct {
        uint8_t node, slot;
    } schedule;
} seen_key;
WM_CIPHER_KEY_CHECK(seen_key);

static uint16_t blocks_to_failure; /* 0: none fails */
static bool engine_failed;

static void seen_encrypt(const void *schedule, wm_block128 *block)
{
    const seen_key *key = (const seen_key *)((const uint8_t *)schedule - sizeof(wm_cipher));
    const wm_cipher *cipher = port_double_cipher(key->schedule.slot);
    const wm_block128 in = *block;

    cipher->ops->encrypt(cipher + 1, block);
    if (blocks_to_failure != 0 && --blocks_to_failure == 0) {
        block->octet[0] ^= 0xFFu;
        engine_failed = true;
    } else if (eye != NULL) {
        eye->block(key->schedule.node, key->schedule.slot, in.octet, block->octet);
    }
}

static bool seen_failed(const void *schedule)
{
    const bool failed = engine_failed;

    (void)schedule;
    engine_failed = false;
    return failed;
}

static const wm_cipher_ops seen_ops = {
    .encrypt = seen_encrypt, .failed = seen_failed, .block_octets = 16};
static seen_key seen_keys[NODES][WM_KEY_SLOTS];

static ahead_double_node *its(void)
{
    return &nodes[port_double_running()];
}

static wm_status secure(const wm_frame_job *job)
{
    return wm_ahead_secure(&its()->ahead, job);
}

static wm_status receive(wm_tsch *tsch, wm_frame_job *job)
{
    const wm_status status = wm_ahead_receive(&its()->ahead, tsch, job);

    port_double_its_radio()->rx_len = 0;
    its()->read = 0;
    its()->limit = 0;
    return status;
}

static void forget(void)
{
    wm_ahead_forget(&its()->ahead);
}

void ahead_double_use(uint8_t node)
{
    static const port_double_strategy ahead = {secure, receive, forget};

    wm_wipe(&nodes[node], sizeof nodes[node]);
    port_double_use(node, &ahead);
}

void ahead_double_arrives(uint8_t node, wm_psdu_len octets)
{
    nodes[node].limit = octets;
    nodes[node].read = 0; /* a receiver that is turned on drops what it holds */
}

void ahead_double_fail_at(uint16_t block)
{
    blocks_to_failure = block;
    engine_failed = false;
}

void ahead_double_watch(const ahead_double_eye *sees)
{
    eye = sees;
}

void ahead_double_loaded(void)
{
    const port_double_radio *radio = port_double_its_radio();

    if (eye != NULL && radio->tx_len != 0) {
        (void)eye->load(port_double_running(), (wm_psdu_len)(radio->tx_len + WM_FCS_LEN), radio->tx,
                        radio->tx_len);
    }
}

bool ahead_double_work(uint8_t node)
{
    port_double_run_as(node);
    return wm_ahead_work(&nodes[node].ahead, port_double_tsch(node));
}

wm_ahead *ahead_double_state(uint8_t node)
{
    return &nodes[node].ahead;
}

static uint8_t any(const void *from, size_t len)
{
    const uint8_t *octet = from;
    uint8_t all = 0;

    while (len-- != 0) {
        all |= *octet++;
    }
    return all;
}

bool ahead_double_keeps(uint8_t node)
{
    const wm_ahead *ahead = &nodes[node].ahead;

    return (any(&ahead->data.mac.x, sizeof ahead->data.mac.x) |
            any(&ahead->ack.mac.x, sizeof ahead->ack.mac.x) |
            any(ahead->data_stream, sizeof ahead->data_stream) |
            any(ahead->ack_stream, sizeof ahead->ack_stream)) != 0;
}

uint16_t ahead_double_air(wm_psdu_len psdu_len)
{
    return wm_ahead_air(psdu_len);
}

/* What the stack calls. */

wm_psdu_len wm_port_arrived(uint8_t *to, wm_psdu_len most)
{
    const port_double_radio *radio = port_double_its_radio();
    ahead_double_node *node = its();
    wm_psdu_len all = (wm_psdu_len)(1u + radio->rx_len + WM_FCS_LEN);
    wm_psdu_len got = 0;

    port_double_works(2);
    if (node->limit != 0 && node->limit < all) {
        all = node->limit;
    }
    while (radio->rx_len != 0 && got < most && node->read < all) {
        const wm_psdu_len at = node->read++;
        to[got] = radio->rx_fcs_ok ? FCS_RIGHT : 0; /* in the place of the FCS */
        if (at == 0) {
            to[got] = (uint8_t)(radio->rx_len + WM_FCS_LEN);
        } else if (at <= radio->rx_len) {
            to[got] = radio->rx[at - 1u];
        }
        got++;
    }
    return got;
}

void wm_port_receiver_off(void)
{
}

void wm_port_drop(void)
{
    port_double_its_radio()->rx_len = 0;
    its()->read = 0;
}

bool wm_port_fcs_right(const uint8_t fcs[WM_FCS_LEN])
{
    return (fcs[WM_FCS_LEN - 1] & FCS_RIGHT) != 0;
}

static bool load(wm_psdu_len psdu_len, const uint8_t *from, wm_psdu_len len)
{
    port_double_radio *radio = port_double_its_radio();
    wm_psdu_len i;

    if (eye != NULL && !eye->load(port_double_running(), psdu_len, from, len)) {
        return false;
    }
    for (i = 0; i < len && radio->tx_len < WM_PSDU_MAX; i++) {
        radio->tx[radio->tx_len++] = from[i];
    }
    return true;
}

bool wm_port_load_more(const uint8_t *from, wm_psdu_len len)
{
    return load(0, from, len);
}

void wm_port_load(wm_psdu_len psdu_len, const uint8_t *head, wm_psdu_len head_len,
                  const uint8_t *tail, wm_psdu_len tail_len)
{
    port_double_its_radio()->tx_len = 0;
    (void)load(psdu_len, head, head_len);
    (void)load(0, tail, tail_len);
}

const wm_cipher *wm_port_cipher(uint8_t key_slot)
{
    const uint8_t node = port_double_running();
    seen_key *key = &seen_keys[node][key_slot];

    if (eye == NULL && blocks_to_failure == 0) {
        return port_double_cipher(key_slot);
    }
    key->cipher.ops = &seen_ops;
    key->schedule.node = node;
    key->schedule.slot = key_slot;
    return &key->cipher;
}
