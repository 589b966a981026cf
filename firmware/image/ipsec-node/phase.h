/* SPDX-License-Identifier: BSD-3-Clause */
/** @file phase.h
 *  What the CPU is at, by cycles: one phase at a time, in ipsec_node_report.ticks. */
#ifndef IMAGE_IPSEC_NODE_PHASE_H
#define IMAGE_IPSEC_NODE_PHASE_H

#include "ipsec_node_block.h"

/** No phase: nothing is counted. */
#define PHASE_NONE IPSEC_NODE_PHASES

/** Ends the phase that is and begins `phase`; returns the one that ended, to go back to. A phase
 *  between two calls is shorter than 2^19 cycles. */
uint8_t phase_enter(uint8_t phase);

#endif
