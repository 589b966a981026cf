/* SPDX-License-Identifier: BSD-3-Clause */
/** @file zigbee_command.h
 *  APS commands of ZigBee PRO that manage keys and devices (05-3474-22 4.4.10): payloads of APS command
 *  frames, from the command identifier on.
 *
 *      Transport-Key   05 | key type 1 | key 16 | network key: number 1, destination 8, source 8
 *                                               | Trust Center link key: destination 8, source 8
 *                                               | application link key: partner 8, initiator 1
 *      Update-Device   06 | device 8 | network address 2 | status 1
 *      Remove-Device   07 | device 8
 *      Request-Key     08 | key type 1 | application link key: partner 8
 *      Switch-Key      09 | number 1
 *      Tunnel          0e | destination 8 | APS frame, secured
 *      Verify-Key      0f | key type 1 | source 8 | hash 16
 *      Confirm-Key     10 | status 1 | key type 1 | destination 8 */
#ifndef WARDMOTE_ZIGBEE_COMMAND_H
#define WARDMOTE_ZIGBEE_COMMAND_H

#include <stdbool.h>
#include <stdint.h>
#include <wardmote/linkage.h>
#include <wardmote/status.h>

WM_C_BEGIN

/** Command identifiers. */
typedef enum wm_zigbee_command_id {
    WM_ZIGBEE_TRANSPORT_KEY = 0x05,
    WM_ZIGBEE_UPDATE_DEVICE = 0x06,
    WM_ZIGBEE_REMOVE_DEVICE = 0x07,
    WM_ZIGBEE_REQUEST_KEY = 0x08,
    WM_ZIGBEE_SWITCH_KEY = 0x09,
    WM_ZIGBEE_TUNNEL = 0x0E,
    WM_ZIGBEE_VERIFY_KEY = 0x0F,
    WM_ZIGBEE_CONFIRM_KEY = 0x10
} wm_zigbee_command_id;

/** Key types in commands. */
typedef enum wm_zigbee_key_type {
    WM_ZIGBEE_TYPE_NETWORK = 0x01,
    /** an application link key where somebody asks for it (Request-Key) */
    WM_ZIGBEE_TYPE_APPLICATION_ASKED = 0x02,
    WM_ZIGBEE_TYPE_APPLICATION = 0x03, /**< application link key */
    WM_ZIGBEE_TYPE_TRUST_CENTER = 0x04 /**< Trust Center link key */
} wm_zigbee_key_type;

/** A command as values; each command has some of them. Addresses have their most significant octet
 *  first. Wipe it after a Transport-Key command: it holds the key. */
typedef struct wm_zigbee_command {
    uint8_t id; /**< wm_zigbee_command_id */
    uint8_t
        key_type;    /**< wm_zigbee_key_type: Transport-Key, Request-Key, Verify-Key, Confirm-Key */
    uint8_t key[16]; /**< Transport-Key: the key; Verify-Key: the hash */
    uint8_t sequence; /**< number of a network key: Transport-Key, Switch-Key */
    /** Transport-Key, Tunnel, Confirm-Key: for whom it is; of an application link key 0. All zero
     *  with a network key: for all */
    uint8_t destination[8];
    uint8_t source[8]; /**< Transport-Key: the Trust Center, all ones in a network without one;
                            Verify-Key: who sends it */
    /** Update-Device, Remove-Device: the device that it is about; Transport-Key, Request-Key: with
     *  whom the application link key is shared */
    uint8_t device[8];
    bool initiator;           /**< Transport-Key: this node asked for the application link key */
    uint16_t network_address; /**< Update-Device */
    uint8_t status;           /**< Update-Device, Confirm-Key: 0 is success */
    const uint8_t *frame;     /**< Tunnel: points into the payload */
    uint8_t frame_len;        /**< Tunnel */
    uint8_t used; /**< octets of the payload that the fields above have. What follows are
                                   TLVs of revision 23 */
} wm_zigbee_command;

/** Reads a command at `payload`, of which there are `len` octets.
 *  @retval WM_ERR_MALFORMED     not all there, or a key type that the command does not have
 *  @retval WM_ERR_NOT_FOR_US    another command. After each error `command` is all zero */
WM_NODISCARD wm_status wm_zigbee_command_parse(const uint8_t *payload, uint8_t len,
                                               wm_zigbee_command *command);

/** Writes a command to `payload`, which has `size` octets; `*len` becomes its octets. The frame of a
 *  Tunnel may lie in `payload` where it will be, 9 octets behind its begin, nowhere else in it.
 *  @retval WM_ERR_PARAM           no such command, or no such key type in it
 *  @retval WM_ERR_FRAME_TOO_LONG  over `size`; after each, nothing is written */
WM_NODISCARD wm_status wm_zigbee_command_build(const wm_zigbee_command *command, uint8_t *payload,
                                               uint8_t size, uint8_t *len);

WM_C_END

#endif
