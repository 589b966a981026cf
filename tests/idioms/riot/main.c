/* SPDX-License-Identifier: BSD-3-Clause */
/* A shell on the serial line, after self-tests; the radio beside it. */
#include <util/delay.h>
#include "../frames.h"
#include "parts.h"

volatile uint16_t TOS_NODE_ID = 1;

static void send(uint8_t frames)
{
    for (uint8_t number = 0; number < frames; number++) {
        radio_send(number);
        for (uint8_t i = 0; i < 20; i++) {
            _delay_ms(1);
            radio_poll();
        }
    }
    printf("acked %u air %u to %u gap %u to %u\n", radio_acked, radio_air[0], radio_air[1],
           radio_gap[0], radio_gap[1]);
}

int main(void)
{
    char text[24];
    unsigned frames;
    thread_main();
    line_start();
    ticks_start();
    sei();
    printf("riot-like\n");
    self_test();
    printf("radio %u", radio_start());
    printf(" memory %u\n", radio_memory());
    radio_listen(TOS_NODE_ID);
    printf("ready %u\n", TOS_NODE_ID);
    for (;;) {
        if (fgets(text, sizeof text, stdin) != NULL && sscanf(text, "send %u", &frames) == 1) {
            send((uint8_t)frames);
        } else {
            printf("what is %s", text);
        }
    }
}
