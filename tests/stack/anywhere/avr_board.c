/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs the stack's self-test on an ATmega1281, sends its result through the first serial port, and
 * sleeps for ever, which ends simavr. */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>

int self_test(void);

static void send(char letter)
{
    while (!(UCSR0A & 1 << UDRE0)) {
    }
    UDR0 = (uint8_t)letter;
}

int main(void)
{
    UCSR0B = 1 << TXEN0;
    for (const char *text = "step "; *text != 0; text++) {
        send(*text);
    }
    send((char)('0' + self_test()));
    send('\n');
    send('\n');
    cli();
    sleep_mode();
    return 0;
}
