/* SPDX-License-Identifier: BSD-3-Clause */
#include "counter_generation.h"
#include <stddef.h>
#include <wardmote/counter_store.h>

uint8_t wm_counter_segment_after(const wm_counter_port *port, uint8_t segment)
{
    uint8_t last = (uint8_t)(port->segments - 1);
    if (segment == WM_COUNTER_NONE) {
        return last;
    }
    return segment == last ? 0 : (uint8_t)(segment + 1);
}

static bool holds(const wm_counter_media *on, uint8_t segment, uint8_t place, uint8_t kind,
                  uint32_t *value)
{
    wm_counter_record found;
    bool valid =
        wm_counter_find(on, segment, place, &found) == WM_COUNTER_VALID && found.kind == kind;
    *value = found.value;
    return valid;
}

static bool is_blank(const wm_counter_media *on, uint8_t segment, uint8_t place)
{
    wm_counter_record ignored;
    return wm_counter_find(on, segment, place, &ignored) == WM_COUNTER_BLANK;
}

/* Was no record and no header ever complete? A first creation erases the last segment before
 * anything says so. If that was cut, units of 4 or 8 may read as anything there. */
static bool is_unused(const wm_counter_media *on)
{
    const wm_counter_port *port = on->port;
    uint16_t end = (uint16_t)(wm_counter_places(port) + WM_COUNTER_FIRST_RECORD);
    for (uint8_t segment = 0; segment < port->segments; segment++) {
        bool certain = port->unit == 2 || segment != port->segments - 1;
        for (uint16_t place = 0; place < end; place++) {
            wm_counter_record ignored;
            wm_counter_finding what = wm_counter_find(on, segment, place, &ignored);
            if (what == WM_COUNTER_VALID || (what == WM_COUNTER_DAMAGED && certain)) {
                return false;
            }
        }
    }
    return true;
}

wm_status wm_counter_search(const wm_counter_media *on, wm_counter_generation *found)
{
    uint32_t value;
    found->number = 0;
    found->active = found->ended = WM_COUNTER_NONE;
    for (uint8_t segment = 0; segment < on->port->segments; segment++) {
        if (holds(on, segment, WM_COUNTER_RETIRED_PLACE, WM_COUNTER_ENDED, &value) &&
            value >= found->number) {
            found->ended = segment;
            found->number = value;
        }
    }
    for (uint8_t segment = 0; segment < on->port->segments; segment++) {
        if (holds(on, segment, WM_COUNTER_HEADER_PLACE, WM_COUNTER_HEADER, &value) &&
            (value > found->number ||
             (value == found->number && found->ended == WM_COUNTER_NONE))) {
            found->active = segment;
            found->number = value;
        }
    }
    if (found->active != WM_COUNTER_NONE) {
        return is_blank(on, found->active, WM_COUNTER_RETIRED_PLACE) ? WM_OK : WM_ERR_STORAGE;
    }
    bool never = found->ended == WM_COUNTER_NONE
                     ? is_unused(on)
                     : is_blank(on, found->ended, WM_COUNTER_HEADER_PLACE);
    return never ? WM_ERR_NO_STORE : WM_ERR_STORAGE;
}

wm_status wm_counter_retire_others(const wm_counter_media *on, uint8_t active)
{
    wm_status status = WM_OK;
    for (uint8_t segment = 0; segment < on->port->segments && status == WM_OK; segment++) {
        uint32_t ignored;
        if (segment == active) {
            continue;
        }
        if (holds(on, segment, WM_COUNTER_HEADER_PLACE, WM_COUNTER_HEADER, &ignored) &&
            is_blank(on, segment, WM_COUNTER_RETIRED_PLACE)) {
            status = wm_counter_retire(on, segment, WM_COUNTER_RETIRED_PLACE);
        }
        if (holds(on, segment, WM_COUNTER_RETIRED_PLACE, WM_COUNTER_ENDED, &ignored) &&
            is_blank(on, segment, WM_COUNTER_HEADER_PLACE)) {
            status = wm_counter_retire(on, segment, WM_COUNTER_HEADER_PLACE);
        }
    }
    return status;
}

/* Makes a segment that the present store does not need say that it has ended. Until it says so the
 * store holds, whenever power fails. */
static wm_status end(const wm_counter_media *on, wm_counter_generation *present)
{
    uint8_t to = wm_counter_segment_after(on->port, present->active);
    wm_status status = wm_counter_erase(on, to);
    if (status == WM_OK) {
        status =
            wm_counter_write(on, to, WM_COUNTER_RETIRED_PLACE, WM_COUNTER_ENDED, present->number);
    }
    present->ended = to;
    return status;
}

wm_status wm_counter_store_create(const wm_counter_port *port, void *medium)
{
    wm_counter_media on = {port, medium};
    wm_counter_generation past;
    if (!wm_counter_usable(port)) {
        return WM_ERR_PARAM;
    }
    wm_status status = wm_counter_search(&on, &past);
    if (status != WM_ERR_NO_STORE) {
        return status == WM_OK ? WM_ERR_STATE : status;
    }
    status = past.ended == WM_COUNTER_NONE ? end(&on, &past) : WM_OK;
    for (uint8_t segment = 0; segment < port->segments && status == WM_OK; segment++) {
        status = segment == past.ended ? WM_OK : wm_counter_erase(&on, segment);
    }
    if (status != WM_OK || past.number == WM_COUNTER_GENERATION_LAST) {
        return WM_ERR_STORAGE;
    }
    status = wm_counter_write(&on, wm_counter_segment_after(port, past.ended),
                              WM_COUNTER_HEADER_PLACE, WM_COUNTER_HEADER, past.number + 1);
    return status == WM_OK ? wm_counter_retire(&on, past.ended, WM_COUNTER_HEADER_PLACE) : status;
}

wm_status wm_counter_store_destroy(const wm_counter_port *port, void *medium)
{
    wm_counter_media on = {port, medium};
    wm_counter_generation past;
    if (!wm_counter_usable(port)) {
        return WM_ERR_PARAM;
    }
    wm_status status = wm_counter_search(&on, &past);
    return status == WM_ERR_NO_STORE && past.ended != WM_COUNTER_NONE ? WM_OK : end(&on, &past);
}
