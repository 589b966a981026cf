/* SPDX-License-Identifier: BSD-3-Clause */
/** @file route.h
 *  Routes by way of a landmark. Motes form a tree whose root is the landmark; each knows its parent.
 *  A message climbs to the landmark, then goes down the way that a crumb has come up: a mote that
 *  shall be reached sends a crumb to the landmark, and each mote on the way keeps from which
 *  neighbour it came.
 *
 *  A base hears every mote, and every mote hears it. It has mote `to` send a crumb. Then it has mote
 *  `from` send a message to mote `to`, which answers the base itself. From the base and back takes
 *  the hops of the route and two.
 *
 *      type 1  message   route
 *      type 2  crumb     from 1 | mote 1
 *
 *      route   kind 1 | down 1 | journey 2 | to 1 | filling */
#ifndef FIRMWARE_TINYSEC_ROUTE_H
#define FIRMWARE_TINYSEC_ROUTE_H

#include <stdbool.h>
#include <stdint.h>
#include <wardmote/tinysec.h>

#define ROUTE_OCTETS 24u /**< of data in every message of a route, as in the paper */

/** A message that a router was given.
 *  @param next  to be sent
 *  @retval false  nothing is to be sent */
bool route_on(const wm_tinysec_message *message, wm_tinysec_message *next);

/** A base's order to mote `to`: send a crumb. */
void route_call(wm_tinysec_message *next);

/** A base's order to mote `from`: journey `number` begins. */
void route_begin(uint16_t number, wm_tinysec_message *next);

/** Whether a message is the end of journey `number`. */
bool route_ended(const wm_tinysec_message *message, uint16_t number);

#endif
