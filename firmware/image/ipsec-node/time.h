/* SPDX-License-Identifier: BSD-3-Clause */
/** @file time.h
 *  The node's clock and its alarms, over the one of tick.h: the MAC's (wm_port_csma_alarm), the
 *  client's, and that of packets whose fragments do not come. */
#ifndef IMAGE_IPSEC_NODE_TIME_H
#define IMAGE_IPSEC_NODE_TIME_H

#include <stdbool.h>
#include <stdint.h>
#include "tick.h"

#define TIME_HZ ((uint32_t)TICK_HZ) /**< ticks in a second */

typedef enum time_alarm { TIME_MAC, TIME_CLIENT, TIME_FRAGMENTS, TIME_ALARMS } time_alarm;

/** Ticks since power-on, modulo 2^32. To be called every second at least, which time_arm sees to. */
uint32_t time_now(void);

/** Sets an alarm that many ticks ahead; it replaces an earlier one. */
void time_set(time_alarm alarm, uint32_t ticks);

/** Whether an alarm is due; it is then forgotten. */
bool time_due(time_alarm alarm);

/** Arms the chip's alarm for the next of them, or for a second.
 *  @retval false  one is due already */
bool time_arm(void);

#endif
