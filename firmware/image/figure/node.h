/* SPDX-License-Identifier: BSD-3-Clause */
/* What the image `figure` asks of a board: a counter of CPU cycles, and a serial line. */
#ifndef FIGURE_NODE_H
#define FIGURE_NODE_H

#include <stdint.h>

/* Starts the counter and the line. The board's documentation says at which rate the line speaks. */
void node_start(void);

/* CPU cycles since some moment; differences are right up to 65 535. */
uint16_t node_cycles(void);

/* Says an octet; waits until the line takes it. */
void node_say(char octet);

#endif
