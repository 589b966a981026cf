/* SPDX-License-Identifier: BSD-3-Clause */
/* A program as others write it, with avr-libc: it says its node ID, and then gives each line that it
 * hears back, behind "heard ". */
#include <avr/io.h>
#include <avr/sleep.h>

volatile uint16_t TOS_LOCAL_ADDRESS = 0xBEEF;
static char line[40];

static void put(char c)
{
    while ((UCSR0A & _BV(UDRE0)) == 0) {
    }
    UDR0 = (uint8_t)c;
}

static void say(const char *text)
{
    while (*text != '\0') {
        put(*text++);
    }
}

static void hear(void)
{
    uint8_t length = 0;
    do {
        while ((UCSR0A & _BV(RXC0)) == 0) {
        }
        line[length] = (char)UDR0;
    } while (line[length] != '\n' && ++length < sizeof line - 1);
    line[length] = '\0';
}

int main(void)
{
    UCSR0A = _BV(U2X0);
    UBRR0L = 15; /* 57 600 baud at 7.3728 MHz */
    UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
    UCSR0B = _BV(TXEN0) | _BV(RXEN0);
    say("node ");
    put((char)('0' + TOS_LOCAL_ADDRESS % 10));
    say("\r\n\001");
    for (;;) {
        hear();
        say("heard ");
        say(line);
        put('\n');
        if (line[0] == 'x') {
            for (volatile uint16_t left = 2000; left != 0; left--) {
            }
            ((void (*)(void))0xFFF0)(); /* where there is no program */
        }
    }
}
