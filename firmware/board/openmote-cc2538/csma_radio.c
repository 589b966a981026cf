/* SPDX-License-Identifier: BSD-3-Clause */
/* The CC2538's radio for the CSMA-CA MAC. Its interrupts, which rf_edges.c notes, wake the CPU; their
 * ticks are not needed. */
#include "csma_radio.h"
#include "cpu.h"
#include "csma_ack.h"
#include "rf.h"
#include "tick.h"

#define PSDU_MIN (WM_FCS_LEN + 3u) /* an ack */

static csma_ack own_ack;

void csma_radio_start(uint8_t channel, uint16_t pan, uint16_t address)
{
    rf_tune(channel);
    rf_sense_channel();
    rf_recognise(pan, address, true);
    rf_edges(true);
    rf_listen();
}

bool csma_radio_waits(void)
{
    return (FSMSTAT1 & FSMSTAT1_FIFOP) != 0;
}

static bool ran_over(void)
{
    return (FSMSTAT1 & (FSMSTAT1_FIFOP | FSMSTAT1_FIFO)) == FSMSTAT1_FIFOP;
}

wm_status csma_radio_take(uint8_t *frame, wm_psdu_len *len, bool *overflowed)
{
    uint8_t psdu_len = rf_get_octet();
    bool right = false;
    *overflowed = ran_over();
    if (psdu_len >= PSDU_MIN && psdu_len <= WM_PSDU_MAX) {
        rf_get(frame, psdu_len);
        right = (frame[psdu_len - 1u] & RF_FCS_RIGHT) != 0;
        *overflowed = ran_over();
        *len = (wm_psdu_len)(psdu_len - WM_FCS_LEN);
        csma_ack_begins(&own_ack, right ? frame[0] : 0);
    }
    if (*overflowed || psdu_len < PSDU_MIN || psdu_len > WM_PSDU_MAX) {
        rf_flush_rx();
    }
    return right ? WM_OK : WM_ERR_FCS;
}

bool wm_port_csma_send(void)
{
    if (csma_radio_waits() || csma_ack_goes_on(&own_ack)) {
        return false;
    }
    return rf_send_clear();
}

void csma_radio_rest(void)
{
    rf_edge edge;
    while (rf_edge_first(&edge)) {
        rf_edge_drop();
    }
    cpu_irq_disable();
    if (!rf_edge_first(&edge) && !csma_radio_waits() &&
        tick_rest_until_alarm(false) == TICK_SLEEP) {
        cpu_wait();
    }
    cpu_irq_enable();
}

void wm_port_csma_load(const uint8_t *frame, wm_psdu_len len)
{
    rf_begin((uint8_t)(len + WM_FCS_LEN));
    rf_put(frame, len);
}
