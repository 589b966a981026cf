/* SPDX-License-Identifier: BSD-3-Clause */
/* What needs no radio: each line says something that a wrong chip would not. */
#include <avr/eeprom.h>
#include <avr/pgmspace.h>
#include <avr/sleep.h>
#include <avr/wdt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <util/crc16.h>
#include <util/delay.h>
#include "parts.h"

/* Before anything else: the cause of the reset, which is cleared, and the watchdog. */
static uint8_t cause __attribute__((section(".noinit")));
static uint16_t kept __attribute__((section(".noinit")));
static void first(void) __attribute__((naked, used, section(".init3")));
static void first(void)
{
    cause = MCUCSR;
    MCUCSR = 0;
    wdt_reset();
    wdt_disable();
}

/* Flash across the boundary of its halves: table.S. */
extern const uint8_t far_table[];
#define FAR_OCTETS 512u

static uint32_t sums[2];
static volatile uint8_t overflows;
static const uint8_t pattern[] PROGMEM = "kept while the power is off";

static void program_memory(void)
{
    uint8_t octets[64];
    uint16_t crc = 0xFFFF;
    uint_farptr_t from = pgm_get_far_address(far_table);
    for (uint16_t i = 0; i < FAR_OCTETS; i += sizeof octets) {
        memcpy_PF(octets, from + i, sizeof octets);
        for (uint8_t j = 0; j < sizeof octets; j++) {
            crc = _crc_ccitt_update(crc, octets[j]);
        }
    }
    printf("far %04x %02x\n", crc, pgm_read_byte_far(from + FAR_OCTETS - 1));
}

/* Division, products of 32 bits, bits through carry: what a lost flag or register changes. */
static uint32_t churn(uint32_t x)
{
    for (uint16_t i = 1; i <= 2000; i++) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
        x += x / i * 7u;
    }
    return x;
}

static void worker_1(void)
{
    sums[0] = churn(1);
    thread_end();
}

static void worker_2(void)
{
    sums[1] = churn(2);
    thread_end();
}

static void threads(void)
{
    printf("stacks %u\n", thread_start(200, worker_1) + thread_start(200, worker_2));
    thread_ticks(true);
    while (thread_others() != 0) {
    }
    thread_ticks(false);
    printf("sums %08lx %08lx preempted %u\n", sums[0], sums[1], thread_switches > 200);
}

/* The heap ends __malloc_margin below the stack. Blocks have two octets more. */
static void heap(void)
{
    void *list = NULL;
    uint8_t blocks = 0, freed = 0;
    for (;;) {
        void **block = malloc(64);
        if (block == NULL) {
            break;
        }
        *block = list;
        list = block;
        blocks++;
    }
    while (list != NULL) {
        void *next = *(void **)list;
        free(list);
        list = next;
        freed++;
    }
    void *whole = malloc(66u * blocks - 2u); /* what was freed is one piece again */
    printf("heap %u %u %u\n", blocks > 20, blocks == freed, whole != NULL);
    free(whole);
}

static void time(void)
{
    uint32_t from = ticks_now(), before;
    _delay_us(1000);
    printf("delay %lu\n", ticks_now() - from);
    printf("late");
    for (uint32_t ahead = 40000; ahead < 300000; ahead += 65536) {
        ticks_alarm(ticks_now() + ahead);
        while (ticks_late < 0) {
            set_sleep_mode(SLEEP_MODE_IDLE);
            sleep_mode();
        }
        printf(" %d", ticks_late);
    }
    cli();
    before = ticks_now();
    loop_until_bit_is_set(TIFR, TOV1); /* and its handler does not run */
    bool forward = ticks_now() - before < 0x10000;
    sei();
    printf("\nforward %u\n", forward);
}

ISR(TIMER0_OVF_vect)
{
    overflows++;
}

static void settle(void)
{
    while (ASSR & (_BV(TCN0UB) | _BV(OCR0UB) | _BV(TCR0UB))) {
    }
}

/* Timer0 from the watch crystal: 128 overflows a second. */
static void crystal(void)
{
    uint32_t from;
    ASSR = _BV(AS0);
    TCNT0 = 0;
    TCCR0 = _BV(CS00);
    settle();
    TIFR = _BV(TOV0);
    TIMSK |= _BV(TOIE0);
    while (overflows == 0) {
    }
    from = ticks_now();
    while (overflows < 17) {
    }
    printf("crystal %lu\n", ticks_now() - from);
}

/* Timer1 stands still meanwhile, and the line. Before the mode is entered again, a period of the
 * crystal has to pass: a write to OCR0 tells. */
static void power_save(void)
{
    uint32_t from;
    _delay_ms(2);
    overflows = 0;
    from = ticks_now();
    set_sleep_mode(SLEEP_MODE_PWR_SAVE);
    while (overflows < 128) {
        OCR0 = 0;
        settle();
        sleep_mode();
    }
    TIMSK &= (uint8_t)~_BV(TOIE0);
    printf("saved %u\n", ticks_now() - from < 60000);
}

static volatile uint16_t converted;

ISR(ADC_vect)
{
    converted = ADC;
}

/* Sleep begins the conversion, and its end is the end of sleep; Timer1 stands still meanwhile. */
static void supply(void)
{
    _delay_ms(2);
    uint32_t from = ticks_now();
    ADMUX = _BV(REFS0) | 0x1E; /* the bandgap, by AVCC */
    ADCSRA = _BV(ADEN) | _BV(ADIE) | _BV(ADPS2) | _BV(ADPS1);
    set_sleep_mode(SLEEP_MODE_ADC);
    while (converted == 0) {
        sleep_mode();
    }
    uint32_t ticks = ticks_now() - from;
    ADCSRA = 0;
    printf("bandgap %u ticks %lu\n", converted, ticks);
}

static void non_volatile(void)
{
    uint8_t octets[sizeof pattern];
    uint32_t from = ticks_now();
    memcpy_P(octets, pattern, sizeof pattern);
    eeprom_update_block(octets, (void *)100, sizeof pattern);
    eeprom_busy_wait();
    printf("eeprom %lu", ticks_now() - from);
    from = ticks_now();
    eeprom_update_block(octets, (void *)100, sizeof pattern);
    printf(" again %u\n", ticks_now() - from < 10000);
}

static void restart(void)
{
    kept = 0xCAFE;
    printf("root %.4f\n", sqrt(2.0) * exp(1.0));
    _delay_ms(5);
    wdt_enable(WDTO_30MS);
    for (;;) {
    }
}

void self_test(void)
{
    uint8_t octets[sizeof pattern];
    printf("cause %u\n", cause);
    if (cause & _BV(WDRF)) {
        eeprom_read_block(octets, (void *)100, sizeof octets);
        printf("kept %x %s\n", kept, octets);
        return;
    }
    program_memory();
    threads();
    heap();
    time();
    crystal();
    power_save();
    supply();
    non_volatile();
    restart();
}
