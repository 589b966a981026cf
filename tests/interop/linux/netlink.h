/* SPDX-License-Identifier: BSD-3-Clause */
/** @file netlink.h
 *  Messages to the kernel's configuration of IEEE 802.15.4: a header and attributes, each of them 4
 *  octets of header and a value. */
#ifndef PEER_NETLINK_H
#define PEER_NETLINK_H

#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <stddef.h>
#include <stdint.h>

struct message {
    struct nlmsghdr header;
    struct genlmsghdr generic;
    uint8_t octet[512];
};

/** The socket, and the number of the family nl802154 that find_family found. */
extern int netlink;
extern uint16_t family;

void put(struct message *message, uint16_t type, const void *value, size_t length);
void put_u8(struct message *message, uint16_t type, uint8_t value);
void put_u32(struct message *message, uint16_t type, uint32_t value);

/** Opens a nested attribute; close_nest gives it its length. */
struct nlattr *open_nest(struct message *message, uint16_t type);
void close_nest(struct message *message, struct nlattr *nest);

void begin(struct message *message, uint16_t type, uint8_t command);

/** Sends a message and reads answers up to the acknowledgement; `found`, if wanted, receives the
 *  number of a family. 0 or a negative errno. */
int transact(struct message *message, uint16_t *found);

int find_family(void);

#endif
