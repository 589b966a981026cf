/* SPDX-License-Identifier: BSD-3-Clause */
/** @file node.h
 *  What link_cc2420.c asks of a board: node_<board>.c. */
#ifndef FIRMWARE_TINYSEC_NODE_H
#define FIRMWARE_TINYSEC_NODE_H

#include <stdbool.h>

/** Of a CPU whose clock is found by calibration: that at which TinyOS runs a TelosB. */
#define NODE_CLOCK_HZ 4194304ul

/** Pins, and the CPU's clock.
 *  @retval false  there is no such clock */
bool node_boot(void);

/** Ticks, SPI and radio.
 *  @retval false  no radio answers */
bool node_start(void);

#endif
