/* SPDX-License-Identifier: BSD-3-Clause */
/* CC2420: regulator and crystal, of which a pin tells that it is stable; memory; frames that are
 * acknowledged; the times of SFD by capture. */
#include "hal.h"
#include "radio.h"

#define SELECT (P4OUT &= ~0x04)
#define RELEASE (P4OUT |= 0x04)
#define FIFOP 0x01u
#define FIFO 0x08u
#define CCA 0x10u

enum { SXOSCON = 1, SRXON = 3, STXONCCA = 5, SFLUSHRX = 8, SFLUSHTX = 9 };
enum { MDMCTRL0 = 0x11, RXCTRL1 = 0x17, FSCTRL = 0x18, IOCFG0 = 0x1C, IOCFG1 = 0x1D };

volatile uint16_t memory_right, memory_wrong, start_ticks;
volatile radio_times air = {0xFFFF, 0}, gap = {0xFFFF, 0};
static action *done;
static uint16_t up, down;
static bool edges_wanted, oscillator_wanted;

static uint8_t strobe(uint8_t command)
{
    SELECT;
    uint8_t status = bus_exchange(command);
    RELEASE;
    return status;
}

static void set(uint8_t address, uint16_t value)
{
    SELECT;
    bus_exchange(address);
    bus_exchange((uint8_t)(value >> 8));
    bus_exchange((uint8_t)value);
    RELEASE;
}

static void memory(uint16_t address, bool reads, uint8_t *octets, uint8_t count)
{
    SELECT;
    bus_exchange((uint8_t)(0x80 | (address & 0x7F)));
    bus_exchange((uint8_t)((address >> 1 & 0xC0) | (reads ? 0x20 : 0)));
    while (count-- != 0) {
        uint8_t in = bus_exchange(*octets);
        *octets = reads ? in : *octets;
        octets++;
    }
    RELEASE;
}

static void configure(void)
{
    set(IOCFG1, 0);
    set(IOCFG0, 0x027F); /* FIFOP is low at the end of a frame */
    set(MDMCTRL0, 0x0AF2);
    set(RXCTRL1, 0x2A56);
    set(FSCTRL, 0x4165 + 15 * 5);
    bus_release(BUS_RADIO);
    done();
}

static void oscillate(void)
{
    set(IOCFG1, 24); /* CCA tells whether the crystal is stable */
    oscillator_wanted = true;
    P1IES &= ~CCA;
    P1IFG &= ~CCA;
    P1IE |= CCA;
    up = timer_now();
    strobe(SXOSCON);
    bus_release(BUS_RADIO);
}

static void reset(void)
{
    P4OUT &= ~0x40;
    for (volatile uint8_t left = 10; left != 0; left--) {
    }
    P4OUT |= 0x40;
    bus_request(BUS_RADIO, oscillate);
}

void radio_start(action *then)
{
    done = then;
    P4OUT |= 0x04;
    P4DIR |= 0x64;
    P4OUT |= 0x20;
    timer_once(TIMER_STEP, 2, reset);
}

static void try_memory(void)
{
    static uint8_t round;
    uint8_t octets[16], again[16] = {0};
    bool right = true;
    round++;
    for (uint8_t i = 0; i < sizeof octets; i++) {
        octets[i] = (uint8_t)(i * 17u ^ round);
    }
    memory(0x130, false, octets, sizeof octets);
    memory(0x130, true, again, sizeof again);
    for (uint8_t i = 0; i < sizeof octets; i++) {
        right = right && octets[i] == again[i];
    }
    *(right ? &memory_right : &memory_wrong) += 1;
    bus_release(BUS_RADIO);
}

void radio_memory(action *then)
{
    (void)then;
    bus_request(BUS_RADIO, try_memory);
}

static void note(volatile radio_times *times, uint16_t ticks)
{
    times->least = ticks < times->least ? ticks : times->least;
    times->most = ticks > times->most ? ticks : times->most;
}

/* A frame of ours rises and falls; what rises then is its acknowledgement. */
void sig_sfd(void)
{
    uint16_t now = TBCCR1;
    if (!edges_wanted) {
        return;
    }
    if (TBCCTL1 & CCI) {
        if (down != 0) {
            note(&gap, now - down);
            edges_wanted = false;
        }
        up = now;
    } else {
        note(&air, now - up);
        down = now;
    }
}

static void receive(void)
{
    uint8_t frame[128];
    while (!(P1IN & FIFOP)) {
        SELECT;
        bus_exchange(0x7F);
        uint8_t length = bus_exchange(0) & 0x7F;
        for (uint8_t i = 0; i < length; i++) {
            frame[i] = bus_exchange(0);
        }
        RELEASE;
        bool overflow = !(P1IN & FIFOP) && !(P1IN & FIFO);
        if (overflow) {
            strobe(SFLUSHRX);
            strobe(SFLUSHRX);
        } else if (length >= 5 && (frame[length - 1] & 0x80)) {
            radio_heard(frame, length - 2);
        }
    }
    bus_release(BUS_RADIO);
}

static void configured(void)
{
    bus_request(BUS_RADIO, configure);
}

static void arrived(void)
{
    bus_request(BUS_RADIO, receive);
}

void sig_port1(void)
{
    if (P1IFG & P1IE & 0x20) {
        P1IFG &= ~0x20;
        sensors_edge();
    }
    if (P1IFG & P1IE & CCA) {
        P1IFG &= ~CCA;
        P1IE &= ~CCA;
        start_ticks = timer_now() - up;
        task_is(TASK_RADIO, configured);
        task_post(TASK_RADIO);
    }
    if (P1IFG & P1IE & FIFOP) {
        P1IFG &= ~FIFOP;
        task_is(TASK_RADIO, arrived);
        task_post(TASK_RADIO);
    }
}

static uint16_t self;

static void listen(void)
{
    uint8_t own[4] = {0x22, 0x00, (uint8_t)self, (uint8_t)(self >> 8)};
    memory(0x168, false, own, sizeof own);
    strobe(SRXON);
    bus_release(BUS_RADIO);
}

void radio_role(uint16_t address)
{
    self = address;
    P4SEL |= 0x02; /* SFD to TBCCR1 */
    TBCCTL1 = CM_3 | CCIS_0 | SCS | CAP | CCIE;
    P1IES |= FIFOP;
    P1IFG &= ~FIFOP;
    P1IE |= FIFOP;
    bus_request(BUS_RADIO, listen);
}

static uint8_t sequence;

static void send(void)
{
    uint8_t frame[RADIO_FRAME];
    radio_fill(frame, (uint8_t)self, sequence);
    strobe(SFLUSHTX);
    SELECT;
    bus_exchange(0x3E);
    bus_exchange(RADIO_FRAME + 2);
    for (uint8_t i = 0; i < RADIO_FRAME; i++) {
        bus_exchange(frame[i]);
    }
    RELEASE;
    down = 0;
    edges_wanted = true;
    strobe(STXONCCA);
    bus_release(BUS_RADIO);
}

void radio_send(uint8_t number, action *then)
{
    (void)then;
    sequence = number;
    bus_request(BUS_RADIO, send);
}
