/* SPDX-License-Identifier: BSD-3-Clause */
/** @file port_double.h
 *  Test double of port/tsch_port.h: two nodes whose clock, radio and CPU are functions of the test.
 *
 *  The test gives five functions (port_double_hooks) and says which node is running
 *  (port_double_run_as). The stack itself secures the frames. A frame "in the radio" is in two
 *  buffers per node. On a CPU without a test beside it the board is quiet (port_double_quiet). */
#ifndef TESTS_STACK_LINK_PORT_DOUBLE_H
#define TESTS_STACK_LINK_PORT_DOUBLE_H

#include <wardmote/tsch.h>

typedef struct port_double_table {
    uint16_t (*ticks)(void);
    uint8_t (*alarm)(uint16_t tick);              /**< 0: missed */
    void (*radio)(uint8_t what, uint8_t channel); /**< 0 tune, 1 listen, 2 send, 3 idle */
    /** 0 secure, 1 receive, 2 look for octets that arrive: CPU time passes */
    void (*work)(uint8_t what);
    void (*mark)(uint8_t phase, uint8_t begin);
} port_double_table;

/** What is in the radio of a node: frames without FCS. */
typedef struct port_double_radio {
    uint8_t tx[WM_PSDU_MAX], rx[WM_PSDU_MAX];
    wm_psdu_len tx_len, rx_len;
    bool rx_fcs_ok;
} port_double_radio;

/** Another way to secure frames than the double's own. */
typedef struct port_double_strategy {
    wm_status (*secure)(const wm_frame_job *job);
    wm_status (*receive)(wm_tsch *tsch, wm_frame_job *job);
    void (*forget)(void); /**< a key changes */
} port_double_strategy;

/** From now on the node has this strategy. */
void port_double_use(uint8_t node, const port_double_strategy *strategy);

/** For a strategy: the node that is running, its radio, its keys, and the CPU time that passes. */
uint8_t port_double_running(void);
port_double_radio *port_double_its_radio(void);
const wm_cipher *port_double_cipher(uint8_t key_slot);
void port_double_works(uint8_t what);

/** The double's own way. */
wm_status port_double_secure(const wm_frame_job *job);
wm_status port_double_receive(wm_tsch *tsch, wm_frame_job *job);

/** Both nodes anew, with the test's clock, radio and CPU. */
void port_double_hooks(const port_double_table *table);

/** Both nodes anew, with a clock that stands still until an alarm rings, and a radio that always
 *  works. */
void port_double_quiet(void);

void port_double_run_as(uint8_t node);
wm_tsch *port_double_tsch(uint8_t node);

/** The frame that was loaded last. */
const uint8_t *port_double_sent(uint8_t node, wm_psdu_len *len);

/** Counters from here on are refused, as by a store that does not grant them; 0: none. */
void port_double_grant(uint8_t node, uint32_t counters);

/** A received frame is in the radio. */
void port_double_deliver(uint8_t node, const uint8_t *frame, wm_psdu_len len, uint8_t fcs_ok);

/** On a quiet board: it is the time of a node's alarm. */
void port_double_wake(uint8_t node);

#endif
