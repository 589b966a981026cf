/* SPDX-License-Identifier: BSD-3-Clause */
#include "roles.h"
#include "link.h"
#include "route.h"
#include "serial.h"
#include "tinysec_block.h"
#include "usart.h"

#define TYPE_DATA 4u
#define REST_OCTETS 240u  /* 0.1 s */
#define JOURNEY_RESTS 20u /* after 2 s a journey is lost */
#define CRUMB_RESTS 10u

static wm_tinysec_message message;

static void nothing(void)
{
}

static void count(const wm_tinysec_message *received)
{
    (void)received; /* main.c has counted it */
}

/* A sender sends its next packet, or has sent all. */
static void send_next(void)
{
    const tinysec_setup *setup = &tinysec_setup_block;
    if (setup->packets != 0 && tinysec_report_block.sent >= setup->packets) {
        tinysec_report_block.state = TINYSEC_DONE;
        return;
    }
    message.dst = setup->destination;
    message.type = TYPE_DATA;
    message.len = setup->data_octets;
    for (uint8_t i = 0; i < message.len; i++) {
        message.data[i] = i;
    }
    (void)send(&message);
}

static void sender_sent(void)
{
    if (tinysec_setup_block.gap == 0) {
        send_next();
    } else {
        link_rest(tinysec_setup_block.gap);
    }
}

static void router_received(const wm_tinysec_message *received)
{
    if (route_on(received, &message)) {
        (void)send(&message);
    }
}

/* A base: a crumb is called for before the first journey and after each that was lost. */
static uint16_t journey;
static uint8_t rests;
static bool calling;
static uint32_t began;

static void base_call(void)
{
    calling = true;
    rests = CRUMB_RESTS;
    route_call(&message);
    (void)send(&message);
    link_rest(REST_OCTETS);
}

static void base_start(void)
{
    usart_start();
    base_call();
}

static void base_begin(void)
{
    const tinysec_setup *setup = &tinysec_setup_block;
    if (setup->packets != 0 && tinysec_report_block.journeys >= setup->packets) {
        tinysec_report_block.state = TINYSEC_DONE;
        return;
    }
    calling = false;
    rests = JOURNEY_RESTS;
    journey = tinysec_report_block.journeys++;
    tinysec_report_block.took[journey % TINYSEC_JOURNEYS] = TINYSEC_NEVER;
    route_begin(journey, &message);
    began = link_now();
    (void)send(&message);
    link_rest(REST_OCTETS);
}

/* What a computer sends goes onto the air, in the base's mode, when the channel can be asked for. */
static void base_sent(void)
{
    while (serial_first(&message) && send(&message)) {
        serial_drop();
    }
}

static void base_rested(void)
{
    if (tinysec_report_block.state == TINYSEC_DONE) {
        return;
    }
    rests--;
    if (rests != 0) {
        link_rest(REST_OCTETS);
    } else if (calling) {
        base_begin();
    } else {
        base_call();
    }
}

static void base_received(const wm_tinysec_message *received)
{
    uint32_t now = link_now();
    tinysec_report_block.unsent += !serial_give(received);
    if (!calling && tinysec_report_block.state == TINYSEC_RUNNING &&
        route_ended(received, journey)) {
        tinysec_report_block.took[journey % TINYSEC_JOURNEYS] = now - began;
        tinysec_report_block.arrived++;
        base_begin();
    }
}

const role roles[] = {
    [TINYSEC_RECEIVER] = {nothing, count, nothing, nothing},
    [TINYSEC_SENDER] = {send_next, count, sender_sent, send_next},
    [TINYSEC_ROUTER] = {nothing, router_received, nothing, nothing},
    [TINYSEC_BASE] = {base_start, base_received, base_sent, base_rested},
};
const unsigned char roles_count = sizeof roles / sizeof *roles;
