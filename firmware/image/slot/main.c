/* SPDX-License-Identifier: BSD-3-Clause */
/* Image `slot`: one TSCH node, set up by the block in flash (slot_block.h). It is for measuring: it
 * keeps no counters, so a restart uses nonces again under the keys of the block. */
#include "board.h"
#include "policy.h"
#include "slot_block.h"
#include "strategy.h"

/* An observer reads these from outside, so link-time optimisation must keep them. */
#define WATCHED __attribute__((used))
WATCHED wm_tsch slot_node;
WATCHED volatile uint8_t slot_fault;

_Noreturn void slot_stop(void);

/* Everything off; slot_fault says why. */
WATCHED __attribute__((noinline)) _Noreturn void slot_stop(void)
{
    cpu_stop();
}

static _Noreturn void fail(slot_fault_code code)
{
    slot_fault = (uint8_t)code;
    slot_stop();
}

int main(void)
{
    const slot_block *block = &slot_block_address;

    board_pins();
    if (block->magic != SLOT_BLOCK_MAGIC) {
        fail(SLOT_NO_BLOCK);
    }
    if (block->version != SLOT_BLOCK_VERSION || !clock_valid(block->clock_hz) ||
        !board_turnaround(block->turnaround_symbols) ||
        wm_tsch_init(&slot_node, &block->tsch) != WM_OK || !policy_start(&block->tsch)) {
        fail(SLOT_BAD_BLOCK);
    }
    if (!clock_start(block->clock_hz)) {
        fail(SLOT_NO_CLOCK);
    }
    if (!board_start()) {
        fail(SLOT_NO_RADIO);
    }
    strategy_start();
    for (uint8_t slot = 0; slot < WM_KEY_SLOTS; slot++) {
        wm_port_key(slot, block->key[slot]);
    }
    wm_tsch_start(&slot_node);
    board_run(&slot_node);
}
