/* SPDX-License-Identifier: BSD-3-Clause */
/* Image `picture`: a mote that sends a picture by the CSMA-CA MAC, or takes it. */
#include "../ipsec-node/time.h"
#include "../tinysec/node.h"
#include "cpu.h"
#include "csma_radio.h"
#include "program.h"
#include "role.h"

/* An observer reads this from outside, so link-time optimisation must keep it. */
#define WATCHED __attribute__((used))
WATCHED picture_report picture_report_block;
picture_setup picture_setup_block;
wm_csma mac;

_Noreturn void picture_stop(void);

WATCHED __attribute__((noinline)) _Noreturn void picture_stop(void)
{
    picture_report_block.state = PICTURE_STOPPED;
    cpu_stop();
}

static void receive(void)
{
    static uint8_t frame[WM_PSDU_MAX];
    wm_mhr mhr;
    wm_frame_map map;
    frame_packet packet;
    wm_psdu_len len;
    bool overflowed;
    wm_status status = csma_radio_take(frame, &len, &overflowed);
    picture_report_block.overflows += overflowed;
    if (status == WM_OK) {
        status = wm_csma_receive(&mac, frame, len, &mhr, &map);
    }
    if (status == WM_ERR_NOT_FOR_US) {
        return;
    }
    if (status != WM_OK || mhr.type != WM_FRAME_DATA ||
        !frame_read(frame, len, map.ash, picture_setup_block.address, &packet)) {
        picture_report_block.refused++;
    } else if (wm_csma_repeated(&mac, &mhr)) {
        picture_report_block.repeated++;
    } else {
        role_take(&packet);
    }
}

/* Whatever waits, frames first: an ack may be among them. */
static bool work(void)
{
    if (csma_radio_waits()) {
        receive();
    } else if (time_due(TIME_MAC)) {
        wm_csma_on_alarm(&mac);
    } else {
        return role_work();
    }
    return true;
}

static bool setup_valid(const picture_setup *setup)
{
    return setup->magic == PICTURE_MAGIC && setup->channel >= 11 && setup->channel <= 26 &&
           setup->source <= PICTURE_OWN;
}

int main(void)
{
    const picture_setup *setup = &picture_setup_block;
    program_read(&picture_setup_block, &picture_setup_flash, sizeof picture_setup_block);
    if (!setup_valid(setup) || !node_boot() || !node_start() ||
        wm_csma_init(&mac, setup->pan, setup->address, setup->seed) != WM_OK ||
        !role_start(setup)) {
        picture_stop();
    }
    csma_radio_start(setup->channel, setup->pan, setup->address);
    picture_report_block.state = PICTURE_RUNNING;
    cpu_irq_enable();
    for (;;) {
        while (work()) {
        }
        if (time_arm() && !role_waits()) {
            csma_radio_rest();
        }
    }
}
