/* SPDX-License-Identifier: BSD-3-Clause */
/** @file ahead_engine_double.h
 *  Nodes of port_double.h whose engine does CCM* whole, ahead of the slot: test double of
 *  port/tsch_ahead_engine_port.h. Octets of received frames come as in ahead_double.h. */
#ifndef TESTS_STACK_LINK_AHEAD_ENGINE_DOUBLE_H
#define TESTS_STACK_LINK_AHEAD_ENGINE_DOUBLE_H

#include <wardmote/tsch_ahead_engine.h>

/** How an engine fails. */
typedef enum ahead_engine_double_fault {
    ENGINE_DOUBLE_WORKS,
    ENGINE_DOUBLE_DOES_NOT_BEGIN,
    ENGINE_DOUBLE_DOES_NOT_END
} ahead_engine_double_fault;

/** From now on a node has such an engine. `in_radio`: m stays in the radio until the frame is
 *  authenticated. */
void ahead_engine_double_use(uint8_t node, bool in_radio);

/** wm_ahead_engine_work of a node. */
bool ahead_engine_double_work(uint8_t node);

wm_ahead_engine *ahead_engine_double_state(uint8_t node);

/** From now on the engine of a node fails so. */
void ahead_engine_double_breaks(uint8_t node, uint8_t fault);

/** Whether plaintext of a frame is left in the engine of a node. */
bool ahead_engine_double_keeps(uint8_t node);

/** Data frames that a node sent, whose header was given ahead of the slot. */
uint16_t ahead_engine_double_prepared(uint8_t node);

/** Enh-Acks that it sent, prepared while the data frame arrived. */
uint16_t ahead_engine_double_answered(uint8_t node);

/** From now on the rules of a node refuse what its engine has opened, or do not. */
void ahead_engine_double_refuses(uint8_t node, bool refuses);

/** Octets of the last frame that were taken before its header was judged, or before the engine could
 *  begin, whichever are more. */
wm_psdu_len ahead_engine_double_read(uint8_t node);

/** How often the rest of a frame was asked for. */
uint16_t ahead_engine_double_loads(uint8_t node);

#endif
