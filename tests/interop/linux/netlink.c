/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages to the kernel's configuration of IEEE 802.15.4. */
#include "netlink.h"
#include <errno.h>
#include <net/nl802154.h>
#include <string.h>
#include <sys/socket.h>

#define ATTRIBUTE_HEADER sizeof(struct nlattr)
#define ALIGNED(length) (((length) + 3u) & ~(size_t)3)

int netlink;
uint16_t family;

void put(struct message *message, uint16_t type, const void *value, size_t length)
{
    uint8_t *at = (uint8_t *)message + message->header.nlmsg_len;
    const struct nlattr attribute = {.nla_len = (uint16_t)(ATTRIBUTE_HEADER + length),
                                     .nla_type = type};
    memcpy(at, &attribute, sizeof attribute);
    memcpy(at + ATTRIBUTE_HEADER, value, length);
    message->header.nlmsg_len += (uint32_t)ALIGNED(attribute.nla_len);
}

void put_u8(struct message *message, uint16_t type, uint8_t value)
{
    put(message, type, &value, sizeof value);
}

void put_u32(struct message *message, uint16_t type, uint32_t value)
{
    put(message, type, &value, sizeof value);
}

struct nlattr *open_nest(struct message *message, uint16_t type)
{
    struct nlattr *nest = (struct nlattr *)(void *)((uint8_t *)message + message->header.nlmsg_len);
    put(message, type | NLA_F_NESTED, "", 0);
    return nest;
}

void close_nest(struct message *message, struct nlattr *nest)
{
    nest->nla_len = (uint16_t)((uint8_t *)message + message->header.nlmsg_len - (uint8_t *)nest);
}

void begin(struct message *message, uint16_t type, uint8_t command)
{
    memset(message, 0, sizeof *message);
    message->header.nlmsg_len = NLMSG_LENGTH(GENL_HDRLEN);
    message->header.nlmsg_type = type;
    message->header.nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK;
    message->generic.cmd = command;
    message->generic.version = 1;
}

int transact(struct message *message, uint16_t *found)
{
    if (send(netlink, message, message->header.nlmsg_len, 0) < 0) {
        return -errno;
    }
    for (;;) {
        struct message answer;
        const ssize_t length = recv(netlink, &answer, sizeof answer, 0);
        if (length < 0) {
            return -errno;
        }
        if (answer.header.nlmsg_type == NLMSG_ERROR) {
            int32_t status;
            memcpy(&status, NLMSG_DATA(&answer.header), sizeof status);
            return status;
        }
        for (size_t at = 0; found != NULL && at + ATTRIBUTE_HEADER + sizeof *found <=
                                                 (size_t)length - NLMSG_LENGTH(GENL_HDRLEN);) {
            struct nlattr attribute;
            memcpy(&attribute, answer.octet + at, sizeof attribute);
            if (attribute.nla_type == CTRL_ATTR_FAMILY_ID) {
                memcpy(found, answer.octet + at + ATTRIBUTE_HEADER, sizeof *found);
            }
            at += ALIGNED(attribute.nla_len < ATTRIBUTE_HEADER ? ATTRIBUTE_HEADER
                                                               : attribute.nla_len);
        }
    }
}

int find_family(void)
{
    struct message message;
    begin(&message, GENL_ID_CTRL, CTRL_CMD_GETFAMILY);
    put(&message, CTRL_ATTR_FAMILY_NAME, NL802154_GENL_NAME, sizeof NL802154_GENL_NAME);
    return transact(&message, &family);
}
