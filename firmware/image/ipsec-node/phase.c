/* SPDX-License-Identifier: BSD-3-Clause */
#include "phase.h"
#include "cycles.h"

static uint8_t current = PHASE_NONE;
static uint16_t since;

uint8_t phase_enter(uint8_t phase)
{
    uint8_t ended = current;
    uint16_t now = cycles_eighth();
    if (ended < IPSEC_NODE_PHASES) {
        ipsec_node_report_block.ticks[ended] += (uint16_t)(now - since);
    }
    since = now;
    current = phase;
    return ended;
}
