/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps the promises that port/counter_cells_port.h makes for a medium, and no more. */
#include "counter_cells_double.h"
#include <wardmote/port/counter_cells_port.h>

static counter_cells_double *in;

void counter_cells_double_use(counter_cells_double *medium)
{
    in = medium;
}

static bool is_inside(uint16_t at)
{
    bool inside =
        at >= COUNTER_CELLS_DOUBLE_AT && at < COUNTER_CELLS_DOUBLE_AT + WM_COUNTER_CELLS_OCTETS;
    in->outside = in->outside || !inside;
    return inside;
}

uint8_t wm_port_cells_read(uint16_t at)
{
    return is_inside(at) ? in->octet[at] : 0;
}

void wm_port_cells_write(uint16_t at, uint8_t octet)
{
    if (!is_inside(at) || in->off) {
        return;
    }
    in->operations++;
    in->off = in->operations == in->fuse;
    if (in->worn[at] != 1) {
        in->octet[at] = in->off ? in->left : octet ^ (in->worn[at] != 0 ? 0x10 : 0);
    }
}

uint32_t counter_cells_double_limit(const wm_counter_cells *cells)
{
    return cells->counter.ops->limit(&cells->counter);
}

bool counter_cells_double_continues(const wm_counter_cells *cells, uint32_t next)
{
    return cells->counter.ops->continues(&cells->counter, next);
}

wm_status counter_cells_double_advance(wm_counter_cells *cells, uint32_t next)
{
    return cells->counter.ops->advance(&cells->counter, next);
}

wm_status counter_cells_double_clear(wm_counter_cells *cells)
{
    return cells->counter.ops->clear(&cells->counter);
}
