/* SPDX-License-Identifier: BSD-3-Clause */
/* The CC2420 for the CSMA-CA MAC: FIFOP says that a frame is there, and without FIFO that the RXFIFO
 * ran over. Edges of SFD wake the CPU; their ticks are not needed. */
#include "csma_radio.h"
#include "cc2420.h"
#include "cc2420_pins.h"
#include "csma_ack.h"
#include "csma_read.h"
#include "tick.h"

#define PSDU_MIN (WM_FCS_LEN + 3u) /* an ack */

static csma_ack own_ack;

void csma_radio_start(uint8_t channel, uint16_t pan, uint16_t address)
{
    cc2420_tune(channel);
    cc2420_recognise(pan, address, true);
    tick_capture(true);
    cc2420_listen();
}

bool csma_radio_waits(void)
{
    return cc2420_pin_fifop();
}

wm_status csma_radio_take(uint8_t *frame, wm_psdu_len *len, bool *overflowed)
{
    uint8_t psdu_len = cc2420_read_octet();
    if (psdu_len < PSDU_MIN || psdu_len > CC2420_PSDU_MAX) {
        *overflowed = false;
        cc2420_flush_rx();
        return WM_ERR_MALFORMED;
    }
    csma_read(frame, psdu_len);
    *overflowed = cc2420_pin_fifop() && !cc2420_pin_fifo();
    if (*overflowed) {
        cc2420_flush_rx();
    }
    *len = (wm_psdu_len)(psdu_len - WM_FCS_LEN);
    if ((frame[psdu_len - 1u] & CC2420_FCS_RIGHT) == 0) {
        return WM_ERR_FCS;
    }
    csma_ack_begins(&own_ack, frame[0]);
    return WM_OK;
}

void wm_port_csma_load(const uint8_t *frame, wm_psdu_len len)
{
    cc2420_load((uint8_t)(len + WM_FCS_LEN), frame, len, frame, 0);
}

/* A frame that waits to be read may have an ack on its way. */
bool wm_port_csma_send(void)
{
    return !csma_radio_waits() && !csma_ack_goes_on(&own_ack) && cc2420_send_clear();
}

void csma_radio_rest(void)
{
    tick_edge edge;
    while (tick_edge_first(&edge)) {
        tick_edge_drop();
    }
    if (!csma_radio_waits()) {
        tick_sleep(TICK_DOZE);
    }
}
