/* SPDX-License-Identifier: BSD-3-Clause */
/* Who has USART0: the first that asked. Its clients want other dividers, so the module is set up
 * anew, through its reset, for each. */
#include "hal.h"

#include "bus_rule.h"

#define NOBODY 0xFFu

static action *wants[BUS_CLIENTS];
static volatile uint8_t owner = NOBODY;

static void configure(uint8_t client)
{
    P3SEL |= 0x0E;
    P3DIR |= 0x0A;
    UCTL0 = SWRST;
    UCTL0 |= CHAR | SYNC | MM;
    UTCTL0 = CKPH | SSEL1 | STC;
    UBR00 = client == BUS_FLASH ? 4 : 2;
    UBR10 = 0;
    UMCTL0 = 0;
    ME1 &= ~(UTXE0 | URXE0);
    ME1 |= USPIE0;
    UCTL0 &= ~SWRST;
    IFG1 &= ~(UTXIFG0 | URXIFG0);
}

static void give(void)
{
    for (uint8_t client = 0; client < BUS_CLIENTS; client++) {
        if (bus_may_give(owner == NOBODY) && wants[client] != 0) {
            action *granted = wants[client];
            wants[client] = 0;
            owner = client;
            configure(client);
            granted();
        }
    }
}

void bus_request(uint8_t client, action *granted)
{
    wants[client] = granted;
    task_is(TASK_BUS, give);
    task_post(TASK_BUS);
}

void bus_release(uint8_t client)
{
    if (owner == client) {
        owner = NOBODY;
    }
    ME1 &= ~USPIE0;
    task_post(TASK_BUS);
}

/* What the driver of the chip does: URXIFG0 says that the octet has gone both ways. */
uint8_t bus_exchange(uint8_t octet)
{
    TXBUF0 = octet;
    while (!(IFG1 & URXIFG0)) {
    }
    return RXBUF0;
}
