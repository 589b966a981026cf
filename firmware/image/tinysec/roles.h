/* SPDX-License-Identifier: BSD-3-Clause */
/** @file roles.h
 *  What the application of each role does. */
#ifndef FIRMWARE_TINYSEC_ROLES_H
#define FIRMWARE_TINYSEC_ROLES_H

#include <stdbool.h>
#include <wardmote/tinysec.h>

typedef struct role {
    void (*start)(void);
    void (*received)(const wm_tinysec_message *message);
    void (*sent)(void);
    void (*rested)(void); /**< link_rest is over */
} role;

/** By tinysec_role. */
extern const role roles[];
extern const unsigned char roles_count;

/** What main.c does for roles: asks for the channel, to send a message.
 *  @retval false  one waits already, or no packet can be made any more */
bool send(const wm_tinysec_message *message);

#endif
