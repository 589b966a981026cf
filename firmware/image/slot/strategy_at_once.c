/* SPDX-License-Identifier: BSD-3-Clause */
/* Strategies that secure a frame at once have nothing to do between events. */
#include "board.h"
#include "strategy.h"

/* Their templates keep a tick more. */
bool wm_port_listens_at_once(void)
{
    return false;
}

void strategy_start(void)
{
}

bool board_work(wm_tsch *node)
{
    (void)node;
    return false;
}
