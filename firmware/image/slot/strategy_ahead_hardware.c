/* SPDX-License-Identifier: BSD-3-Clause */
/* Strategy ahead-hardware: the engine does CCM* while frames are on the air
 * (tsch_ahead_engine.h). strategy_ahead_hardware_cc2420.c and strategy_ahead_hardware_cc2538.c
 * have the engines. strategy_hybrid.c gives the engine its keys. */
#include <wardmote/tsch_ahead_engine.h>
#include "board.h"
#include "policy.h"
#include "radio_stream.h"
#include "slot_block.h"
#include "strategy.h"

static wm_ahead_engine ahead;

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
    return wm_ahead_engine_work(&ahead, node);
}

void wm_port_key(uint8_t slot, const uint8_t key[16])
{
    wm_ahead_engine_forget(&ahead);
    strategy_key(slot, key);
    policy_key(slot);
}

wm_status wm_port_secure(const wm_frame_job *job)
{
    wm_status status = policy_secures(job);

    if (status != WM_OK) {
        return status;
    }
    status = wm_ahead_engine_secure(&ahead, job);
    if (status != WM_OK) {
        policy_unsecured(job);
    }
    return status;
}

wm_status wm_port_receive(wm_tsch *tsch, wm_frame_job *job)
{
    const wm_status opened = wm_ahead_engine_receive(&ahead, tsch, job);
    const wm_status status = policy_received(job, opened);

    if (status != opened) {
        wm_ahead_engine_refuse(&ahead, job);
    }
    return status;
}

wm_psdu_len wm_port_arrived(uint8_t *to, wm_psdu_len most)
{
    return radio_arrived(to, most);
}
