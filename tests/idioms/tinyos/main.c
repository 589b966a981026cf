/* SPDX-License-Identifier: BSD-3-Clause */
/* An application: it goes from one service to the next, each of which ends with an event, and says
 * what came of it. Then node 1 sends and node 2 acknowledges. */
#include "hal.h"
#include "radio.h"

volatile uint16_t TOS_NODE_ID = 1;
extern uint16_t resets;

static const char title[] = "tinyos-like\n";
static uint8_t initialised[301] = {1, 2, 3, [300] = 0x5A};
static volatile uint8_t cleared[6000];
static volatile uint16_t hits;
static volatile uint16_t fired[3];
static uint8_t sent, acked, heard;

/* A handler that multiplies, and interrupts the program all the time. */
void sig_timer_a0(void)
{
    TACCR0 += 97;
    hits++;
    mul_u16(hits, 0x1234);
}

static void next(action *run)
{
    task_is(TASK_STEP, run);
    task_post(TASK_STEP);
}

static void multiply(void)
{
    uint32_t x = 1;
    TACCR0 = TAR + 97;
    TACCTL0 = CCIE;
    for (uint16_t i = 0; i < 1000; i++) {
        x = mul_u32(x, 1664525) + 1013904223;
    }
    TACCTL0 = 0;
    say_hex("product", (const uint8_t *)&x, sizeof x);
    say_number("interrupted", hits > 100);
    say_end();
}

static void ready(void)
{
    radio_role(TOS_NODE_ID);
    say_number("ready", TOS_NODE_ID);
    say_end();
}

static void awake(void)
{
    line_sleep(false);
    say_number("awake", line_count);
    say_end();
    ready();
}

static void to_sleep(void)
{
    line_sleep(true);
    timer_once(TIMER_STEP, 1000, awake);
}

static void blinked(void)
{
    for (uint8_t i = TIMER_A; i <= TIMER_C; i++) {
        timer_stop(i);
    }
    P5OUT |= 0x70;
    say_number("timers", fired[0]);
    say_number("", fired[1]);
    say_number("", fired[2]);
    say_end();
    timer_once(TIMER_STEP, 30, to_sleep); /* the line has said all by then */
}

static void a(void)
{
    P5OUT ^= 0x10;
    fired[0]++;
}

static void b(void)
{
    P5OUT ^= 0x20;
    fired[1]++;
}

static void c(void)
{
    P5OUT ^= 0x40;
    if (++fired[2] == 2) {
        blinked();
    }
}

static void flash_done(void)
{
    timer_stop(TIMER_BEAT);
    say_hex("flash", &flash_signature, 1);
    say_number("sum", flash_sum);
    say_number("polls", flash_polls);
    say_number("memory", memory_right > 20);
    say_number("wrong", memory_wrong);
    say_end();
    timer_every(TIMER_A, 250, a);
    timer_every(TIMER_B, 500, b);
    timer_every(TIMER_C, 1000, c);
}

static void beat(void)
{
    radio_memory(0);
}

static void radio_done(void)
{
    say_number("crystal", start_ticks);
    say_end();
    timer_every(TIMER_BEAT, 1, beat);
    flash_test(flash_done);
}

static void voltage_done(void)
{
    say_number("supply", voltage_supply);
    say_number("chip", voltage_temperature);
    say_end();
    radio_start(radio_done);
}

static void temperature_done(void)
{
    say_number("temperature", temperature_raw);
    say_number("right", temperature_right);
    say_end();
    voltage(voltage_done);
}

static void sensors(void)
{
    uint8_t number[8];
    sensors_start();
    serial_number(number);
    say_hex("serial", number, 8);
    say_end();
    temperature(temperature_done);
}

static void first(void)
{
    multiply();
    next(sensors);
}

void radio_heard(const uint8_t *frame, uint8_t length)
{
    if (TOS_NODE_ID == 1) {
        acked += radio_is_ack(frame, length, sent - 1);
    } else if (radio_is(frame, length, heard) && ++heard == RADIO_FRAMES) {
        say_number("heard", heard);
        say_end();
    }
}

static void send_next(void)
{
    if (sent < RADIO_FRAMES) {
        radio_send(sent++, 0);
        timer_once(TIMER_STEP, 20, send_next);
        return;
    }
    say_number("acked", acked);
    say_number("air", air.least);
    say_number("to", air.most);
    say_number("gap", gap.least);
    say_number("to", gap.most);
    say_end();
}

static void line_event(void)
{
    if (line_heard() == 's' && TOS_NODE_ID == 1) {
        send_next();
    }
}

int main(void)
{
    uint16_t zeros = 0;
    WDTCTL = WDTPW | WDTHOLD;
    for (uint16_t i = 0; i < sizeof cleared; i++) {
        zeros += cleared[i] == 0;
    }
    P5OUT = 0x70;
    P5DIR = 0x70;
    clock_calibrate();
    uint16_t captured = clock_captured();
    task_is(TASK_LINE, line_event);
    timers_start();
    line_start();
    __eint();
    say(title);
    say_number("data", sum_octets(initialised, sizeof initialised));
    say_number("zeros", zeros);
    say_number("resets", resets);
    say_end();
    say_number("captured", captured);
    say_end();
    next(first);
    tasks_run();
}
