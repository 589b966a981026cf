/* SPDX-License-Identifier: BSD-3-Clause */
/* Image `counters`: see counters.h. */
#include <stddef.h>
#include <wardmote/octets.h>
#include <wardmote/port/tsch_port.h>
#include "board.h"
#include "counters.h"
#include "flash.h"
#include "radio.h"
#include "tables.h"
#include "tick.h"

#define CLOCK_HZ 4000000ul
#define CHANNEL 26
/* 4 ms without a frame end a turn; the longest frame takes 4.3 ms after its start */
#define WINDOW_TICKS 132u
#define SEND_TICKS 330u /* 10 ms: more than any frame takes */
#define PSDU_MIN 4

/* An observer reads this from outside, so link-time optimisation must keep it. */
__attribute__((used)) volatile counters_state_t counters_state;

static wm_security_pib pib;
static wm_counter_store store;
static uint32_t limits[COUNTERS_SLOTS];
static uint8_t frame[WM_PSDU_MAX];

static _Noreturn void fail(counters_fault_code code, wm_status why)
{
    counters_state.why = (int8_t)why;
    counters_state.fault = (uint8_t)code;
    cpu_stop();
}

/* Sleeps until a frame on the air has ended, ours or another's. @retval false  `until` came
 * first */
static bool frame_ends(uint16_t until)
{
    for (;;) {
        tick_edge edge;
        while (tick_edge_first(&edge)) {
            tick_edge_drop();
            if (!edge.high) {
                return true;
            }
        }
        if (!tick_alarm(until)) {
            return false;
        }
        tick_sleep(SR_LPM0);
    }
}

/* A data frame to everybody that says what is accepted next under each key. */
static void send(uint8_t key)
{
    static uint8_t sequence;
    wm_mhr mhr = {.type = WM_FRAME_DATA,
                  .version = WM_VERSION_2006,
                  .pan_id_compression = true,
                  .seq = sequence++,
                  .dst_pan = TABLES_PAN,
                  .src_pan = TABLES_PAN,
                  .dst = {WM_ADDR_SHORT, {0xFF, 0xFF}},
                  .src = {.mode = WM_ADDR_EXT}};
    wm_security_params params;
    uint8_t body[4 * COUNTERS_KEYS], len;

    __builtin_memcpy(mhr.src.octet, tables_address, sizeof tables_address);
    for (uint8_t n = 0; n < COUNTERS_KEYS; n++) {
        wm_store_le32(body + 4 * n, tables_least(n));
    }
    tables_params(key, &params);
    wm_status status =
        wm_outgoing_build(&pib, &params, &mhr, body, sizeof body, frame, sizeof frame, &len);
    if (status != WM_OK) {
        fail(COUNTERS_NOT_SENT, status);
    }
    radio_load((uint8_t)(len + WM_FCS_LEN), frame, len, frame, 0);
    status = wm_port_radio_send();
    if (status != WM_OK) {
        fail(COUNTERS_NOT_SENT, status);
    }
    (void)frame_ends((uint16_t)(tick_now() + SEND_TICKS));
    counters_state.turns++;
}

static wm_status take(void)
{
    wm_incoming result;
    uint8_t len = radio_read_octet();
    if (len < PSDU_MIN || len > WM_PSDU_MAX) {
        return WM_ERR_MALFORMED;
    }
    radio_read(frame, len);
    if ((frame[len - 1] & RADIO_FCS_RIGHT) == 0) {
        return WM_ERR_FCS;
    }
    len = (uint8_t)(len - WM_FCS_LEN);
    return wm_incoming_unsecure(&pib, frame, &len, &result);
}

/* Passes a frame on. In place of an application there is a pulse on a pin, which no power cut takes
 * back. */
static void pass_on(void)
{
    wm_port_mark_begin(WM_MARK_SEC2);
    wm_port_mark_end(WM_MARK_SEC2);
    counters_state.accepted++;
}

static void listen(void)
{
    while (frame_ends((uint16_t)(tick_now() + WINDOW_TICKS))) {
        wm_status status = take();
        if (status == WM_OK) {
            pass_on();
        }
        counters_state.last = (int16_t)status;
        counters_state.heard++;
        wm_port_radio_listen();
    }
}

int main(void)
{
    board_pins();
    if (!clock_start(CLOCK_HZ)) {
        fail(COUNTERS_NO_CLOCK, WM_OK);
    }
    flash_start(CLOCK_HZ);
    wm_status status = wm_counter_store_open(&store, &flash_information, NULL, limits,
                                             COUNTERS_SLOTS, COUNTERS_BLOCK);
    if (status != WM_OK) {
        fail(COUNTERS_NO_STORE, status);
    }
    tables_fill(&pib, &store);
    status = wm_pib_check(&pib);
    if (status != WM_OK) {
        fail(COUNTERS_NO_TABLES, status);
    }
    wm_pib_restore(&pib);
    if (!board_start()) {
        fail(COUNTERS_NO_RADIO, WM_OK);
    }
    wm_port_radio_tune(CHANNEL);
    wm_port_radio_listen();
    cpu_irq_enable();
    for (uint8_t key = 0;; key = key + 1 == COUNTERS_KEYS ? 0 : (uint8_t)(key + 1)) {
        send(key);
        listen();
    }
}
