/* SPDX-License-Identifier: BSD-3-Clause */
#include "route.h"
#include <wardmote/octets.h>
#include "tinysec_block.h"

#define TYPE_ROUTE 1u
#define TYPE_CRUMB 2u
#define BASE_ADDRESS WM_TINYSEC_BROADCAST /* whoever hears an answer; only the base wants it */

/* data of a route */
#define KIND 0u
#define DOWN 1u
#define JOURNEY 2u
#define TO 4u
/* data of a crumb */
#define FROM 0u
#define MOTE 1u
#define CRUMB_OCTETS 2u

typedef enum route_kind {
    ROUTE_CALL = 0,
    ROUTE_ORDER = 1,
    ROUTE_MESSAGE = 2,
    ROUTE_ANSWER = 3
} route_kind;

/* The neighbour that leads to each mote, and one more: 0 is none. */
static uint8_t crumbs[TINYSEC_MOTES];

static bool is_landmark(void)
{
    return tinysec_setup_block.parent == tinysec_setup_block.address;
}

/* On the way to mote `to`. */
static bool pass(wm_tinysec_message *next)
{
    uint8_t to = next->data[TO];
    if (to >= TINYSEC_MOTES) {
        return false;
    }
    if (is_landmark()) {
        next->data[DOWN] = 1;
    }
    if (next->data[DOWN] == 0) {
        next->dst = tinysec_setup_block.parent;
        return true;
    }
    next->dst = (uint16_t)(crumbs[to] - 1u);
    return crumbs[to] != 0;
}

/* A crumb of this mote, to its parent. */
static bool send_crumb(wm_tinysec_message *next)
{
    __builtin_memset(next, 0, sizeof *next);
    next->dst = tinysec_setup_block.parent;
    next->type = TYPE_CRUMB;
    next->len = CRUMB_OCTETS;
    next->data[FROM] = next->data[MOTE] = (uint8_t)tinysec_setup_block.address;
    return !is_landmark();
}

static bool on_route(const wm_tinysec_message *message, wm_tinysec_message *next)
{
    const uint8_t kind = message->data[KIND];
    if (message->len != ROUTE_OCTETS || kind > ROUTE_MESSAGE) {
        return false;
    }
    if (kind == ROUTE_CALL) {
        return send_crumb(next);
    }
    *next = *message;
    next->data[KIND] = ROUTE_MESSAGE;
    if (kind == ROUTE_MESSAGE && message->data[TO] == tinysec_setup_block.address) {
        next->data[KIND] = ROUTE_ANSWER;
        next->dst = BASE_ADDRESS;
        return true;
    }
    return pass(next);
}

static bool on_crumb(const wm_tinysec_message *message, wm_tinysec_message *next)
{
    const uint8_t from = message->data[FROM], mote = message->data[MOTE];
    if (message->len != CRUMB_OCTETS || from >= TINYSEC_MOTES || mote >= TINYSEC_MOTES) {
        return false;
    }
    tinysec_report_block.crumbs += crumbs[mote] == 0;
    crumbs[mote] = (uint8_t)(from + 1u);
    *next = *message;
    next->data[FROM] = (uint8_t)tinysec_setup_block.address;
    next->dst = tinysec_setup_block.parent;
    return !is_landmark();
}

bool route_on(const wm_tinysec_message *message, wm_tinysec_message *next)
{
    if (message->type == TYPE_ROUTE) {
        return on_route(message, next);
    }
    return message->type == TYPE_CRUMB && on_crumb(message, next);
}

static void order(route_kind kind, uint8_t mote, uint16_t number, wm_tinysec_message *next)
{
    __builtin_memset(next, 0, sizeof *next);
    next->dst = mote;
    next->type = TYPE_ROUTE;
    next->len = ROUTE_OCTETS;
    next->data[KIND] = (uint8_t)kind;
    wm_store_le16(next->data + JOURNEY, number);
    next->data[TO] = tinysec_setup_block.to;
}

void route_call(wm_tinysec_message *next)
{
    order(ROUTE_CALL, tinysec_setup_block.to, 0, next);
}

void route_begin(uint16_t number, wm_tinysec_message *next)
{
    order(ROUTE_ORDER, tinysec_setup_block.from, number, next);
}

bool route_ended(const wm_tinysec_message *message, uint16_t number)
{
    return message->type == TYPE_ROUTE && message->len == ROUTE_OCTETS &&
           message->data[KIND] == ROUTE_ANSWER && wm_load_le16(message->data + JOURNEY) == number;
}
