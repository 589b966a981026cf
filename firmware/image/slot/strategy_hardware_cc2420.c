/* SPDX-License-Identifier: BSD-3-Clause */
/* Strategy hardware with a CC2420: strategy_hardware_cc2420.h at once. */
#include "strategy_hardware_cc2420.h"

void wm_port_key(uint8_t slot, const uint8_t key[16])
{
    cc2420_key(slot, key);
}

wm_status wm_port_secure(const wm_frame_job *job)
{
    return hardware_secure(job);
}

wm_status wm_port_receive(wm_tsch *tsch, wm_frame_job *job)
{
    return hardware_receive(tsch, job);
}
