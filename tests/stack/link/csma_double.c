/* SPDX-License-Identifier: BSD-3-Clause */
#include "csma_double.h"

static uint16_t noted[CSMA_DOUBLE_WHATS];
static bool channel_clear;

void csma_double_begin(void)
{
    for (uint8_t n = 0; n < CSMA_DOUBLE_WHATS; n++) {
        noted[n] = 0;
    }
    channel_clear = true;
}

void csma_double_clear(uint8_t clear)
{
    channel_clear = clear != 0;
}

uint16_t csma_double_noted(uint8_t what)
{
    return noted[what];
}

void wm_port_csma_alarm(uint16_t symbols)
{
    noted[CSMA_DOUBLE_ALARM] = symbols;
    noted[CSMA_DOUBLE_ALARMS]++;
}

void wm_port_csma_load(const uint8_t *frame, wm_psdu_len len)
{
    (void)frame;
    noted[CSMA_DOUBLE_LOADED] = len;
    noted[CSMA_DOUBLE_ARMED] = noted[CSMA_DOUBLE_ALARMS];
}

bool wm_port_csma_send(void)
{
    noted[CSMA_DOUBLE_TRIED]++;
    noted[CSMA_DOUBLE_SENT] += channel_clear;
    return channel_clear;
}

void wm_port_csma_done(struct wm_csma *mac, wm_csma_result result)
{
    (void)mac;
    noted[CSMA_DOUBLE_DONE]++;
    noted[CSMA_DOUBLE_RESULT] = (uint16_t)result;
}
