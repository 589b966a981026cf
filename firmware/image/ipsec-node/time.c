/* SPDX-License-Identifier: BSD-3-Clause */
#include "time.h"
#include <wardmote/port/csma_port.h>

#define LONGEST 16384u /* ticks: half of what the chip's alarm can */

static uint32_t now;
static uint32_t at[TIME_ALARMS];
static bool set[TIME_ALARMS];

uint32_t time_now(void)
{
    now += (uint16_t)(tick_now() - (uint16_t)now);
    return now;
}

void time_set(time_alarm alarm, uint32_t ticks)
{
    at[alarm] = time_now() + ticks;
    set[alarm] = true;
}

bool time_due(time_alarm alarm)
{
    bool due = set[alarm] && (int32_t)(time_now() - at[alarm]) >= 0;
    set[alarm] = set[alarm] && !due;
    return due;
}

bool time_arm(void)
{
    uint32_t ahead = LONGEST;
    uint32_t from = time_now();
    for (uint8_t n = 0; n < TIME_ALARMS; n++) {
        if (!set[n]) {
            continue;
        }
        if ((int32_t)(at[n] - from) <= 0) {
            return false;
        }
        ahead = at[n] - from < ahead ? at[n] - from : ahead;
    }
    return tick_alarm((uint16_t)(from + ahead));
}

/* Ticks in a symbol period of 16 us, in parts of 65536, rounded up. */
#define SYMBOL_PARTS ((uint32_t)((16ull * 65536u * TICK_HZ + 999999u) / 1000000u))

/* The first tick may come at once, so one more. */
void wm_port_csma_alarm(uint16_t symbols)
{
    time_set(TIME_MAC, ((uint32_t)symbols * SYMBOL_PARTS + 65535u) / 65536u + 1u);
}
