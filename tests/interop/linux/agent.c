/* SPDX-License-Identifier: BSD-3-Clause */
/** @file agent.c
 *  The only program of the Linux peer: init of a user-mode-linux guest. It configures the guest's
 *  IEEE 802.15.4 interface as the host asks, and carries frames between the host and the guest's
 *  air.
 *
 *  vec0 is the cable to the host: every Ethernet frame is one datagram there. Ethertype
 *  ETHERTYPE_AIR carries a frame of the air without its FCS; ETHERTYPE_CONTROL carries a request
 *  (operation and arguments), its answer (operation | ANSWER and a negative errno or 0) or an
 *  event. Of the two radios that the kernel's loopback driver makes, phy0 is the peer (wpan0) and
 *  phy1 is the aerial (mon0): what one sends the other hears.
 *
 *  Numbers in requests are little-endian, addresses in the octet order of the air: those of
 *  nl802154 on this machine. */
#include <errno.h>
#include <linux/if_ether.h>
#include <net/if.h>
#include <net/nl802154.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/reboot.h>
#include <sys/socket.h>
#include <unistd.h>
#include "cable.h"
#include "netlink.h"

#define ANSWER 0x80
#define NEED(length)                                                                               \
    if (rest < (length)) {                                                                         \
        return -EMSGSIZE;                                                                          \
    }

enum operation {
    OP_RESTART = 1,
    OP_KEY,
    OP_DEVICE,
    OP_DEVICE_KEY,
    OP_LEVEL,
    OP_PARAMETERS,
    OP_SEND,
    OP_POWER_OFF
};
enum event { EVENT_READY = 0x40, EVENT_RECEIVED };

/* A KeyIdLookup descriptor in a request. */
enum {
    KEY_MODE = 0,
    KEY_INDEX = 1,
    KEY_SOURCE = 2,
    KEY_ADDR_MODE = 10,
    KEY_PAN = 11,
    KEY_ADDR = 13,
    KEY_ID_LEN = 21
};

/* struct sockaddr_ieee802154 of the kernel, whose header is not one of those that programs can
 * include. */
struct sockaddr_air {
    uint16_t family;
    int32_t mode;
    uint16_t pan;
    union {
        uint8_t extended[8];
        uint16_t shortened;
    };
};

/* Options of a datagram socket of AF_IEEE802154, at level 0. */
enum { OPTION_ACK = 0, OPTION_SECURITY = 1, OPTION_LEVEL = 2 };
#define LEVEL_OF_INTERFACE 0xFF

#define PATIENCE_MS 120000 /* after this time without its host the guest ends itself */

static int cable, aerial, air_socket = -1;

/* ---- interfaces ---- */

static int bring_up(const char *name)
{
    struct ifreq request = {0};
    strncpy(request.ifr_name, name, sizeof request.ifr_name - 1);
    if (ioctl(netlink, SIOCGIFFLAGS, &request) < 0) {
        return -errno;
    }
    request.ifr_flags |= IFF_UP;
    return ioctl(netlink, SIOCSIFFLAGS, &request) < 0 ? -errno : 0;
}

/* Replaces the interface `old` (which may be gone) by `name` on radio `phy`: tables and counters
 * begin empty. */
static int new_interface(const char *old, const char *name, uint32_t phy, uint32_t type,
                         const uint8_t extended[8])
{
    struct message message;
    const uint32_t index = if_nametoindex(old);
    if (index != 0) {
        begin(&message, family, NL802154_CMD_DEL_INTERFACE);
        put_u32(&message, NL802154_ATTR_IFINDEX, index);
        const int status = transact(&message, NULL);
        if (status != 0) {
            return status;
        }
    }
    begin(&message, family, NL802154_CMD_NEW_INTERFACE);
    put_u32(&message, NL802154_ATTR_WPAN_PHY, phy);
    put(&message, NL802154_ATTR_IFNAME, name, strlen(name) + 1);
    put_u32(&message, NL802154_ATTR_IFTYPE, type);
    put(&message, NL802154_ATTR_EXTENDED_ADDR, extended, 8);
    return transact(&message, NULL);
}

/* Begins a message about the peer's interface. */
static void begin_peer(struct message *message, uint8_t command)
{
    begin(message, family, command);
    put_u32(message, NL802154_ATTR_IFINDEX, if_nametoindex("wpan0"));
}

static int set_u16(uint8_t command, uint16_t attribute, const uint8_t *value)
{
    struct message message;
    begin_peer(&message, command);
    put(&message, attribute, value, 2);
    return transact(&message, NULL);
}

/* ---- requests: each returns 0 or a negative errno ---- */

/* extended address 8 | PAN identifier 2 | short address 2 (0xFFFF: none): a fresh interface with
 * empty tables. */
static int restart(const uint8_t *from, size_t rest)
{
    NEED(12)
    if (air_socket >= 0) {
        close(air_socket);
    }
    int status = new_interface("wpan0", "wpan0", 0, NL802154_IFTYPE_NODE, from);
    status =
        status != 0 ? status : set_u16(NL802154_CMD_SET_PAN_ID, NL802154_ATTR_PAN_ID, from + 8);
    if (status == 0 && (from[10] & from[11]) != 0xFF) { /* which it has anyway and would refuse */
        status = set_u16(NL802154_CMD_SET_SHORT_ADDR, NL802154_ATTR_SHORT_ADDR, from + 10);
    }
    status = status != 0 ? status : bring_up("wpan0");
    air_socket = socket(AF_IEEE802154, SOCK_DGRAM, 0);
    return status == 0 && air_socket < 0 ? -errno : status;
}

static void put_key_id(struct message *message, uint16_t type, const uint8_t *from)
{
    struct nlattr *nest = open_nest(message, type);
    put_u32(message, NL802154_KEY_ID_ATTR_MODE, from[KEY_MODE]);
    put_u8(message, NL802154_KEY_ID_ATTR_INDEX, from[KEY_INDEX]);
    put(message, NL802154_KEY_ID_ATTR_SOURCE_SHORT, from + KEY_SOURCE, 4);
    put(message, NL802154_KEY_ID_ATTR_SOURCE_EXTENDED, from + KEY_SOURCE, 8);
    struct nlattr *device = open_nest(message, NL802154_KEY_ID_ATTR_IMPLICIT);
    put(message, NL802154_DEV_ADDR_ATTR_PAN_ID, from + KEY_PAN, 2);
    put_u32(message, NL802154_DEV_ADDR_ATTR_MODE, from[KEY_ADDR_MODE]);
    put(message, NL802154_DEV_ADDR_ATTR_SHORT, from + KEY_ADDR, 2);
    put(message, NL802154_DEV_ADDR_ATTR_EXTENDED, from + KEY_ADDR, 8);
    close_nest(message, device);
    close_nest(message, nest);
}

/* key identifier | frame types as bits 1 | key 16 */
static int add_key(const uint8_t *from, size_t rest)
{
    NEED(KEY_ID_LEN + 1 + NL802154_KEY_SIZE)
    struct message message;
    begin_peer(&message, NL802154_CMD_NEW_SEC_KEY);
    struct nlattr *nest = open_nest(&message, NL802154_ATTR_SEC_KEY);
    put_key_id(&message, NL802154_KEY_ATTR_ID, from);
    put_u8(&message, NL802154_KEY_ATTR_USAGE_FRAMES, from[KEY_ID_LEN]);
    put(&message, NL802154_KEY_ATTR_BYTES, from + KEY_ID_LEN + 1, NL802154_KEY_SIZE);
    close_nest(&message, nest);
    return transact(&message, NULL);
}

/* PAN identifier 2 | short address 2 | extended address 8 | frame counter 4 | exempt 1 | key mode
 * 1 */
static int add_device(const uint8_t *from, size_t rest)
{
    NEED(18)
    struct message message;
    begin_peer(&message, NL802154_CMD_NEW_SEC_DEV);
    struct nlattr *nest = open_nest(&message, NL802154_ATTR_SEC_DEVICE);
    put(&message, NL802154_DEV_ATTR_PAN_ID, from, 2);
    put(&message, NL802154_DEV_ATTR_SHORT_ADDR, from + 2, 2);
    put(&message, NL802154_DEV_ATTR_EXTENDED_ADDR, from + 4, 8);
    put(&message, NL802154_DEV_ATTR_FRAME_COUNTER, from + 12, 4);
    put_u8(&message, NL802154_DEV_ATTR_SECLEVEL_EXEMPT, from[16]);
    put_u32(&message, NL802154_DEV_ATTR_KEY_MODE, from[17]);
    close_nest(&message, nest);
    return transact(&message, NULL);
}

/* extended address 8 | frame counter 4 | key identifier */
static int add_device_key(const uint8_t *from, size_t rest)
{
    NEED(12 + KEY_ID_LEN)
    struct message message;
    begin_peer(&message, NL802154_CMD_NEW_SEC_DEVKEY);
    struct nlattr *nest = open_nest(&message, NL802154_ATTR_SEC_DEVKEY);
    put(&message, NL802154_DEVKEY_ATTR_EXTENDED_ADDR, from, 8);
    put(&message, NL802154_DEVKEY_ATTR_FRAME_COUNTER, from + 8, 4);
    put_key_id(&message, NL802154_DEVKEY_ATTR_ID, from + 12);
    close_nest(&message, nest);
    return transact(&message, NULL);
}

/* levels as bits 1 | frame type 1 | device override 1 */
static int add_level(const uint8_t *from, size_t rest)
{
    NEED(3)
    struct message message;
    begin_peer(&message, NL802154_CMD_NEW_SEC_LEVEL);
    struct nlattr *nest = open_nest(&message, NL802154_ATTR_SEC_LEVEL);
    put_u8(&message, NL802154_SECLEVEL_ATTR_LEVELS, from[0]);
    put_u32(&message, NL802154_SECLEVEL_ATTR_FRAME, from[1]);
    put_u8(&message, NL802154_SECLEVEL_ATTR_DEV_OVERRIDE, from[2]);
    close_nest(&message, nest);
    return transact(&message, NULL);
}

/* enabled 1 | outgoing level 1 | outgoing frame counter 4, most significant octet first | outgoing
 * key identifier */
static int set_parameters(const uint8_t *from, size_t rest)
{
    NEED(6 + KEY_ID_LEN)
    struct message message;
    begin_peer(&message, NL802154_CMD_SET_SEC_PARAMS);
    put_u8(&message, NL802154_ATTR_SEC_ENABLED, from[0]);
    put_u32(&message, NL802154_ATTR_SEC_OUT_LEVEL, from[1]);
    put(&message, NL802154_ATTR_SEC_FRAME_COUNTER, from + 2, 4);
    put_key_id(&message, NL802154_ATTR_SEC_OUT_KEY_ID, from + 6);
    return transact(&message, NULL);
}

static struct sockaddr_air address(const uint8_t *from)
{
    struct sockaddr_air made = {.family = AF_IEEE802154, .mode = from[0]};
    memcpy(&made.pan, from + 1, 2);
    memcpy(made.extended, from + 3, 8);
    if (made.mode == NL802154_DEV_ADDR_EXTENDED) { /* sockets want it as it is printed */
        for (int i = 0; i < 8; i++) {
            made.extended[i] = from[10 - i];
        }
    }
    return made;
}

/* security 1 | level 1 | ack request 1 | source: mode 1, PAN 2, address 8 | destination: the same |
 * payload. The socket lives as long as the frame takes to be sent: its source address is the one it
 * is bound to. */
static int send_data(const uint8_t *from, size_t rest)
{
    NEED(25)
    const struct sockaddr_air source = address(from + 3), destination = address(from + 14);
    const int security = from[0], level = from[1], ack = from[2];
    const int out = socket(AF_IEEE802154, SOCK_DGRAM, 0);
    int status = out < 0 ? -errno : 0;
    if (status == 0 && (setsockopt(out, 0, OPTION_SECURITY, &security, sizeof security) < 0 ||
                        setsockopt(out, 0, OPTION_ACK, &ack, sizeof ack) < 0)) {
        status = -errno;
    }
    if (status == 0 && level != LEVEL_OF_INTERFACE &&
        setsockopt(out, 0, OPTION_LEVEL, &level, sizeof level) < 0) {
        status = -errno;
    }
    if (status == 0 && bind(out, (const struct sockaddr *)&source, sizeof source) < 0) {
        status = -errno;
    }
    if (status == 0 && sendto(out, from + 25, rest - 25, 0, (const struct sockaddr *)&destination,
                              sizeof destination) < 0) {
        status = -errno;
    }
    if (out >= 0) {
        close(out);
    }
    return status;
}

/* ---- the three ends ---- */

static int serve(const uint8_t *request, size_t length)
{
    static int (*const operations[])(const uint8_t *, size_t) = {
        [OP_RESTART] = restart,   [OP_KEY] = add_key,
        [OP_DEVICE] = add_device, [OP_DEVICE_KEY] = add_device_key,
        [OP_LEVEL] = add_level,   [OP_PARAMETERS] = set_parameters,
        [OP_SEND] = send_data,
    };
    if (request[0] == OP_POWER_OFF) {
        reboot(RB_POWER_OFF);
    }
    if (request[0] >= sizeof operations / sizeof operations[0] || operations[request[0]] == NULL) {
        return -EOPNOTSUPP;
    }
    return operations[request[0]](request + 1, length - 1);
}

static void from_cable(void)
{
    static uint8_t frame[FRAME_ROOM];
    const ssize_t length = recv(cable, frame, sizeof frame, 0);
    if (length <= ETHERNET_HEADER) {
        return;
    }
    const size_t rest = (size_t)length - ETHERNET_HEADER;
    if (frame[12] == ETHERTYPE_AIR >> 8 && frame[13] == (ETHERTYPE_AIR & 0xFF)) {
        if (send(aerial, frame + ETHERNET_HEADER, rest, 0) < 0) {
            perror("aerial");
        }
    } else if (frame[12] == ETHERTYPE_CONTROL >> 8 && frame[13] == (ETHERTYPE_CONTROL & 0xFF)) {
        const int32_t status = serve(frame + ETHERNET_HEADER, rest);
        frame[ETHERNET_HEADER] |= ANSWER;
        memcpy(frame + ETHERNET_HEADER + 1, &status, sizeof status);
        tell(cable, ETHERTYPE_CONTROL, frame, 1 + sizeof status);
    }
}

/* A payload that the kernel delivered, with its source: mode 1, PAN 2, address 8. */
static void from_air_socket(void)
{
    static uint8_t frame[FRAME_ROOM];
    struct sockaddr_air source = {0};
    socklen_t size = sizeof source;
    uint8_t *at = frame + ETHERNET_HEADER;
    const ssize_t length = recvfrom(air_socket, at + 12, sizeof frame - ETHERNET_HEADER - 12, 0,
                                    (struct sockaddr *)&source, &size);
    if (length < 0) {
        return;
    }
    at[0] = EVENT_RECEIVED;
    at[1] = (uint8_t)source.mode;
    memcpy(at + 2, &source.pan, 2);
    memcpy(at + 4, source.extended, 8);
    tell(cable, ETHERTYPE_CONTROL, frame, 12 + (size_t)length);
}

static int prepare(void)
{
    static const uint8_t none[8];
    netlink = socket(AF_NETLINK, SOCK_RAW, NETLINK_GENERIC);
    int status = bring_up("vec0");
    /* bound when up: else its first use reports that it was down */
    cable = open_packets("vec0", ETH_P_ALL);
    status = status != 0 ? status : find_family();
    status =
        status != 0 ? status : new_interface("wpan1", "mon0", 1, NL802154_IFTYPE_MONITOR, none);
    status = status != 0 ? status : bring_up("mon0");
    aerial = open_packets("mon0", ETH_P_ALL);
    return status;
}

int main(void)
{
    static uint8_t frame[ETHERNET_HEADER + 5] = {[ETHERNET_HEADER] = EVENT_READY};
    const int32_t status = prepare();
    memcpy(frame + ETHERNET_HEADER + 1, &status, sizeof status);
    tell(cable, ETHERTYPE_CONTROL, frame, 5);
    for (;;) {
        struct pollfd ends[] = {{.fd = air_socket, .events = POLLIN},
                                {.fd = aerial, .events = POLLIN},
                                {.fd = cable, .events = POLLIN}};
        if (poll(ends, sizeof ends / sizeof ends[0], PATIENCE_MS) == 0) {
            reboot(RB_POWER_OFF);
        }
        if (ends[0].revents != 0) {
            from_air_socket();
        }
        if (ends[1].revents != 0) {
            relay(aerial, cable);
        }
        if (ends[2].revents != 0 && ends[0].revents == 0 && ends[1].revents == 0) {
            from_cable(); /* only when all that came before it has been told */
        }
    }
}
