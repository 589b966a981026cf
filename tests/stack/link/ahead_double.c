/* SPDX-License-Identifier: BSD-3-Clause */
/* A radio whose frames arrive and leave octet by octet. */
#include "ahead_double.h"
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

void wm_port_drop(void)
{
    port_double_its_radio()->rx_len = 0;
    its()->read = 0;
}

bool wm_port_fcs_right(const uint8_t fcs[WM_FCS_LEN])
{
    return (fcs[WM_FCS_LEN - 1] & FCS_RIGHT) != 0;
}

bool wm_port_load_more(const uint8_t *from, wm_psdu_len len)
{
    port_double_radio *radio = port_double_its_radio();
    wm_psdu_len i;

    for (i = 0; i < len && radio->tx_len < WM_PSDU_MAX; i++) {
        radio->tx[radio->tx_len++] = from[i];
    }
    return true;
}

void wm_port_load(wm_psdu_len psdu_len, const uint8_t *head, wm_psdu_len head_len,
                  const uint8_t *tail, wm_psdu_len tail_len)
{
    (void)psdu_len;
    port_double_its_radio()->tx_len = 0;
    (void)wm_port_load_more(head, head_len);
    (void)wm_port_load_more(tail, tail_len);
}

const wm_cipher *wm_port_cipher(uint8_t key_slot)
{
    return port_double_cipher(key_slot);
}
