/* SPDX-License-Identifier: BSD-3-Clause */
/* CCM* ahead of the slot and while a frame is on the air, for strategies ahead-software and
 * ahead-hybrid: wardmote/tsch_ahead.h with this board's radio. */
#include <wardmote/ct.h>
#include <wardmote/tsch_ahead.h>
#include "board.h"
#include "policy.h"
#include "radio_stream.h"
#include "slot_block.h"
#include "strategy.h"

/* An observer reads what was made and wasted. */
__attribute__((used)) wm_ahead slot_ahead;

bool wm_port_listens_at_once(void)
{
    return radio_listens_at_once(slot_block_address.clock_hz);
}

void strategy_start(void)
{
    radio_stream_start();
}

bool board_work(wm_tsch *node)
{
    return wm_ahead_work(&slot_ahead, node);
}

void wm_port_key(uint8_t slot, const uint8_t key[16])
{
    wm_ahead_forget(&slot_ahead);
    strategy_key(slot, key);
    policy_key(slot);
}

wm_status wm_port_secure(const wm_frame_job *job)
{
    const wm_status status = policy_secures(job);

    return status == WM_OK ? wm_ahead_secure(&slot_ahead, job) : status;
}

wm_status wm_port_receive(wm_tsch *tsch, wm_frame_job *job)
{
    const wm_status opened = wm_ahead_receive(&slot_ahead, tsch, job);
    const wm_status status = policy_received(job, opened);

    if (status != opened) {
        wm_wipe(job->frame, WM_PSDU_MAX);
    }
    return status;
}

const wm_cipher *wm_port_cipher(uint8_t key_slot)
{
    return strategy_cipher(key_slot);
}

wm_psdu_len wm_port_arrived(uint8_t *to, wm_psdu_len most)
{
    return radio_arrived(to, most);
}

void wm_port_receiver_off(void)
{
    radio_receiver_off();
}

void wm_port_drop(void)
{
    radio_flush_rx();
}

bool wm_port_fcs_right(const uint8_t fcs[WM_FCS_LEN])
{
    return (fcs[WM_FCS_LEN - 1] & RADIO_FCS_RIGHT) != 0;
}

void wm_port_load(wm_psdu_len psdu_len, const uint8_t *head, wm_psdu_len head_len,
                  const uint8_t *tail, wm_psdu_len tail_len)
{
    radio_load(psdu_len, head, head_len, tail, tail_len);
}

bool wm_port_load_more(const uint8_t *from, wm_psdu_len len)
{
    return radio_load_more(from, len);
}
