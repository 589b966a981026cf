/* SPDX-License-Identifier: BSD-3-Clause */
/* Image `tinysec`: motes of TinyOS 1.x, with TinySec or without. On a radio of octets a packet is
 * made while its start symbol is sent, and taken while it comes in; on a radio of frames it is made
 * before the channel is asked for, and taken when it is there. */
#include "cpu.h"
#include "link.h"
#include "loop.h"
#include "program.h"
#include "protect.h"
#include "roles.h"
#include "tinysec_block.h"

/* An observer reads this from outside, so link-time optimisation must keep it. */
#define WATCHED __attribute__((used))
WATCHED tinysec_report tinysec_report_block;
tinysec_setup tinysec_setup_block;

static wm_tinysec_message outgoing, incoming;
static bool incoming_full; /* the application has not been given it yet */
static bool taking;        /* a packet comes in */

_Noreturn void tinysec_stop(void);

WATCHED __attribute__((noinline)) _Noreturn void tinysec_stop(void)
{
    tinysec_report_block.state = TINYSEC_STOPPED;
    cpu_stop();
}

static const role *this_role(void)
{
    return &roles[tinysec_setup_block.role];
}

bool send(const wm_tinysec_message *message)
{
    if (!protect_prepare()) {
        tinysec_report_block.unmade++;
        return false;
    }
    if (!link_send()) {
        return false;
    }
    outgoing = *message; /* the channel is ours in an octet time at the earliest: an event later */
    return true;
}

static void on_make(void)
{
    const uint8_t *packet = NULL;
    uint8_t octets = protect_make(&outgoing, &packet);
    tinysec_report_block.unmade += octets == 0;
    link_packet(packet, octets);
}

/* The last octet of a packet, or of what is wanted of it. */
static void end_packet(void)
{
    link_taken(protect_octets());
    taking = false;
    if (incoming_full) {
        tinysec_report_block.overrun++;
        return;
    }
    wm_status status = protect_end(&incoming);
    if (status == WM_OK || status == WM_NOT_SECURED) {
        incoming_full = true;
        tinysec_report_block.received++;
        loop_post(LOOP_RECEIVED);
    } else {
        tinysec_report_block.refused += status != WM_ERR_NOT_FOR_US;
    }
}

static void on_take(void)
{
    uint8_t octet;
    bool begins;
    while (link_take(&octet, &begins)) {
        if (begins) {
            protect_begin();
            taking = true;
        }
        if (taking && !protect_take(octet)) {
            end_packet();
        }
    }
}

static void on_received(void)
{
    this_role()->received(&incoming);
    incoming_full = false;
}

static void on_sent(void)
{
    (void)protect_prepare(); /* if it fails, it fails again in `send` */
    this_role()->sent();
}

static void on_rest(void)
{
    this_role()->rested();
}

static bool setup_valid(const tinysec_setup *setup)
{
    return setup->magic == TINYSEC_MAGIC && setup->role < roles_count &&
           setup->mode <= WM_TINYSEC_STANDARD && setup->accept <= WM_TINYSEC_STANDARD_CRC &&
           setup->profile <= WM_TINYSEC_SHIPPED && setup->preamble >= 4 && setup->preamble <= 200 &&
           setup->data_octets <= WM_TINYSEC_DATA_MAX;
}

int main(void)
{
    static const loop_handlers handlers = {.handle = {[LOOP_TAKE] = on_take,
                                                      [LOOP_MAKE] = on_make,
                                                      [LOOP_RECEIVED] = on_received,
                                                      [LOOP_SENT] = on_sent,
                                                      [LOOP_REST] = on_rest}};
    program_read(&tinysec_setup_block, &tinysec_setup_flash, sizeof tinysec_setup_block);
    if (!setup_valid(&tinysec_setup_block) || !link_boot() || !protect_start() || !link_open()) {
        tinysec_stop();
    }
    if (!protect_prepare()) {
        tinysec_stop();
    }
    link_start();
    tinysec_report_block.state = TINYSEC_RUNNING;
    this_role()->start();
    loop_run(&handlers);
}
