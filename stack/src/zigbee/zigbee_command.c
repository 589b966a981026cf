/* SPDX-License-Identifier: BSD-3-Clause */
/* APS commands.
 * References: 05-3474-22 4.4.10.1 (Transport-Key) to 4.4.10.8 (Confirm-Key).
 * Invariant: parsing and building go by the same lists of fields. */
#include <wardmote/zigbee_command.h>
#include <stddef.h>
#include <wardmote/ct.h>
#include <wardmote/octets.h>
#include "../util/octets8.h"

typedef enum field {
    END,
    TYPE,
    KEY,
    SEQUENCE,
    DESTINATION,
    SOURCE,
    DEVICE,
    INITIATOR,
    ADDRESS,
    STATUS,
    FRAME /* all that is left */
} field;

static const uint8_t octets_of[] = {0, 1, 16, 1, 8, 8, 8, 1, 2, 1, 0};

/* The fields of a command behind its identifier; NULL: there is no such command. */
static const uint8_t *fields_of(uint8_t id, uint8_t key_type)
{
    static const uint8_t network_key[] = {TYPE, KEY, SEQUENCE, DESTINATION, SOURCE, END},
                         center_key[] = {TYPE, KEY, DESTINATION, SOURCE, END},
                         application_key[] = {TYPE, KEY, DEVICE, INITIATOR, END},
                         update[] = {DEVICE, ADDRESS, STATUS, END}, remove[] = {DEVICE, END},
                         ask_application[] = {TYPE, DEVICE, END}, ask_center[] = {TYPE, END},
                         change[] = {SEQUENCE, END}, tunnel[] = {DESTINATION, FRAME, END},
                         verify[] = {TYPE, SOURCE, KEY, END},
                         confirm[] = {STATUS, TYPE, DESTINATION, END};
    switch (id) {
    case WM_ZIGBEE_TRANSPORT_KEY:
        return key_type == WM_ZIGBEE_TYPE_NETWORK        ? network_key
               : key_type == WM_ZIGBEE_TYPE_TRUST_CENTER ? center_key
               : key_type == WM_ZIGBEE_TYPE_APPLICATION  ? application_key
                                                         : NULL;
    case WM_ZIGBEE_UPDATE_DEVICE:
        return update;
    case WM_ZIGBEE_REMOVE_DEVICE:
        return remove;
    case WM_ZIGBEE_REQUEST_KEY:
        return key_type == WM_ZIGBEE_TYPE_APPLICATION_ASKED ? ask_application
               : key_type == WM_ZIGBEE_TYPE_TRUST_CENTER    ? ask_center
                                                            : NULL;
    case WM_ZIGBEE_SWITCH_KEY:
        return change;
    case WM_ZIGBEE_TUNNEL:
        return tunnel;
    case WM_ZIGBEE_VERIFY_KEY:
        return verify;
    case WM_ZIGBEE_CONFIRM_KEY:
        return confirm;
    default:
        return NULL;
    }
}

static void copy16(uint8_t to[16], const uint8_t from[16])
{
    wm_copy8(to, from);
    wm_copy8(to + 8, from + 8);
}

static void get(field which, const uint8_t *octets, uint8_t left, wm_zigbee_command *command)
{
    switch (which) {
    case TYPE:
        command->key_type = octets[0];
        break;
    case KEY:
        copy16(command->key, octets);
        break;
    case SEQUENCE:
        command->sequence = octets[0];
        break;
    case DESTINATION:
        wm_reverse8(command->destination, octets);
        break;
    case SOURCE:
        wm_reverse8(command->source, octets);
        break;
    case DEVICE:
        wm_reverse8(command->device, octets);
        break;
    case INITIATOR:
        command->initiator = octets[0] != 0;
        break;
    case ADDRESS:
        command->network_address = wm_load_le16(octets);
        break;
    case STATUS:
        command->status = octets[0];
        break;
    case FRAME:
        command->frame = octets;
        command->frame_len = left;
        break;
    case END:
        break;
    }
}

static void put(field which, uint8_t *octets, const wm_zigbee_command *command)
{
    switch (which) {
    case TYPE:
        octets[0] = command->key_type;
        break;
    case KEY:
        copy16(octets, command->key);
        break;
    case SEQUENCE:
        octets[0] = command->sequence;
        break;
    case DESTINATION:
        wm_reverse8(octets, command->destination);
        break;
    case SOURCE:
        wm_reverse8(octets, command->source);
        break;
    case DEVICE:
        wm_reverse8(octets, command->device);
        break;
    case INITIATOR:
        octets[0] = command->initiator ? 1 : 0;
        break;
    case ADDRESS:
        wm_store_le16(octets, command->network_address);
        break;
    case STATUS:
        octets[0] = command->status;
        break;
    case FRAME:
        for (uint8_t i = 0; i < command->frame_len; i++) {
            octets[i] = command->frame[i];
        }
        break;
    case END:
        break;
    }
}

wm_status wm_zigbee_command_parse(const uint8_t *payload, uint8_t len, wm_zigbee_command *command)
{
    *command = (wm_zigbee_command){0};
    if (len == 0) {
        return WM_ERR_MALFORMED;
    }
    const uint8_t id = payload[0];
    if (fields_of(id, WM_ZIGBEE_TYPE_TRUST_CENTER) == NULL) {
        return WM_ERR_NOT_FOR_US;
    }
    const uint8_t *fields = fields_of(id, len < 2 ? 0 : payload[1]);
    uint8_t at = 1;
    for (; fields != NULL && *fields != END; fields++) {
        if (len - at < octets_of[*fields]) {
            fields = NULL;
            break;
        }
        get((field)*fields, payload + at, (uint8_t)(len - at), command);
        at = (uint8_t)(at + octets_of[*fields] + (*fields == FRAME ? command->frame_len : 0));
    }
    if (fields == NULL) {
        wm_wipe(command, sizeof *command);
        return WM_ERR_MALFORMED;
    }
    command->id = id;
    command->used = at;
    return WM_OK;
}

wm_status wm_zigbee_command_build(const wm_zigbee_command *command, uint8_t *payload, uint8_t size,
                                  uint8_t *len)
{
    const uint8_t *const fields = fields_of(command->id, command->key_type);
    unsigned need = 1;
    if (fields == NULL) {
        return WM_ERR_PARAM;
    }
    for (const uint8_t *at = fields; *at != END; at++) {
        need += *at == FRAME ? command->frame_len : octets_of[*at];
    }
    if (need > size) {
        return WM_ERR_FRAME_TOO_LONG;
    }
    uint8_t *out = payload;
    *out++ = command->id;
    for (const uint8_t *at = fields; *at != END; at++) {
        put((field)*at, out, command);
        out += octets_of[*at];
    }
    *len = (uint8_t)need;
    return WM_OK;
}
