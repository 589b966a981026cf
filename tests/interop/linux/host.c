/* SPDX-License-Identifier: BSD-3-Clause */
/** @file host.c
 *  The first program of a Linux host: init of a user-mode-linux guest whose kernel nobody changed
 *  and whose root is this machine's, read only. It follows a list of steps, then echoes UDP, asks
 *  motes as it is told, and may carry frames between its cable and an aerial.
 *
 *  vec0 is the cable to the host. Its IPv6 is the kernel's. Ethertype ETHERTYPE_CONTROL carries
 *  requests (operation and arguments) and events; ETHERTYPE_AIR carries frames of the air without
 *  their FCS.
 *
 *  The list is the file that the environment calls STEPS, one a line:
 *  load MODULE; put FILE TEXT; run PROGRAM WORD...; aerial INTERFACE. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if_ether.h>
#include <net/if.h>
#include <netinet/icmp6.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>
#include "cable.h"

#define WORDS 16
#define ADDRESS 16
#define ASKED_FROM 61000   /* port of datagrams that the host is told to send */
#define PATIENCE_MS 120000 /* after this time without its host the guest ends itself */

enum operation { OP_UDP = 1, OP_PING = 2, OP_STATISTICS = 3, OP_POWER_OFF = 8 };
enum event { EVENT_READY = 0x40, EVENT_UDP = 0x41, EVENT_PONG = 0x42, EVENT_STATISTICS = 0x43 };
enum { CABLE, AERIAL, ASKER, PINGER, ECHO, ECHO_SHORT, ENDS };

static const uint16_t echo_ports[] = {7, 0xF0B7};
static int ends[ENDS] = {-1, -1, -1, -1, -1, -1};

/* ---- steps ---- */

static int put(const char *name, const char *text)
{
    const int file = open(name, O_WRONLY);
    const int done = file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text);
    close(file);
    return done ? 0 : -1;
}

static int load(const char *module)
{
    struct utsname kernel;
    char name[256];
    uname(&kernel);
    snprintf(name, sizeof name, "/usr/lib/uml/modules/%s/kernel/%s.ko", kernel.release, module);
    const int file = open(name, O_RDONLY | O_CLOEXEC);
    const int status = file < 0 ? -1 : (int)syscall(SYS_finit_module, file, "", 0);
    close(file);
    return status;
}

static int run(char *const words[])
{
    int status = -1;
    const pid_t child = fork();
    if (child == 0) {
        execv(words[0], words);
        _exit(127);
    }
    waitpid(child, &status, 0);
    return status;
}

static int step(char *line)
{
    char *words[WORDS + 1] = {0};
    char *const rest = strchr(line, ' ');
    for (char *word = strtok(line, " "); word != NULL; word = strtok(NULL, " ")) {
        for (int i = 0; i < WORDS; i++) {
            if (words[i] == NULL) {
                words[i] = word;
                break;
            }
        }
    }
    if (rest == NULL || words[1] == NULL) {
        return -1;
    }
    if (strcmp(words[0], "load") == 0) {
        return load(words[1]);
    }
    if (strcmp(words[0], "put") == 0) {
        return put(words[1], words[2] != NULL ? words[2] : "\n");
    }
    if (strcmp(words[0], "aerial") == 0) {
        ends[AERIAL] = open_packets(words[1], ETH_P_ALL);
        return ends[AERIAL];
    }
    return strcmp(words[0], "run") == 0 ? run(words + 1) : -1;
}

/* Whether all steps were done; those that were not are named on the console, and so are programs that
 * ended with an error, such as `ip` of which a line failed. */
static int32_t follow(const char *name)
{
    char line[512], copy[512];
    int32_t failed = 0;
    FILE *const list = name != NULL ? fopen(name, "r") : NULL;
    if (list == NULL) {
        return -ENOENT;
    }
    while (fgets(line, sizeof line, list) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        memcpy(copy, line, sizeof copy);
        const int status = step(line);
        if (status < 0) {
            printf("step failed: %s: %s\n", copy, strerror(errno));
            failed = -EIO;
        } else if (strncmp(copy, "run ", 4) == 0 && status != 0) {
            printf("step ended with status %#x: %s\n", (unsigned)status, copy);
        }
    }
    fclose(list);
    return failed;
}

/* ---- ends ---- */

static int open_port(uint16_t port)
{
    const struct sockaddr_in6 own = {.sin6_family = AF_INET6, .sin6_port = htons(port)};
    const int opened = socket(AF_INET6, SOCK_DGRAM, 0);
    return bind(opened, (const struct sockaddr *)&own, sizeof own) < 0 ? -1 : opened;
}

static void echo(int end)
{
    static uint8_t datagram[FRAME_ROOM];
    struct sockaddr_in6 from;
    socklen_t size = sizeof from;
    const ssize_t length =
        recvfrom(end, datagram, sizeof datagram, 0, (struct sockaddr *)&from, &size);
    if (length >= 0 &&
        sendto(end, datagram, (size_t)length, 0, (struct sockaddr *)&from, size) < 0) {
        perror("echo");
    }
}

/* Something came to a socket: address 16, port 2 (0 with ICMPv6), octets. */
static void came(int end, uint8_t event)
{
    static uint8_t frame[FRAME_ROOM];
    struct sockaddr_in6 from;
    socklen_t size = sizeof from;
    uint8_t *at = frame + ETHERNET_HEADER;
    const size_t head = 1 + ADDRESS + 2;
    const ssize_t length = recvfrom(end, at + head, sizeof frame - ETHERNET_HEADER - head, 0,
                                    (struct sockaddr *)&from, &size);
    if (length < 0) {
        return;
    }
    at[0] = event;
    memcpy(at + 1, &from.sin6_addr, ADDRESS);
    memcpy(at + 1 + ADDRESS, &from.sin6_port, 2);
    tell(ends[CABLE], ETHERTYPE_CONTROL, frame, head + (size_t)length);
}

/* Address 16, port 2, octets. */
static void ask(int end, const uint8_t *request, size_t length)
{
    struct sockaddr_in6 to = {.sin6_family = AF_INET6};
    if (length < ADDRESS + 2) {
        return;
    }
    memcpy(&to.sin6_addr, request, ADDRESS);
    if (end != ends[PINGER]) {
        memcpy(&to.sin6_port, request + ADDRESS, 2);
    }
    if (sendto(end, request + ADDRESS + 2, length - ADDRESS - 2, 0, (struct sockaddr *)&to,
               sizeof to) < 0) {
        perror("ask");
    }
}

static void tell_statistics(void)
{
    static uint8_t frame[FRAME_ROOM];
    const int file = open("/proc/net/xfrm_stat", O_RDONLY);
    const ssize_t length =
        read(file, frame + ETHERNET_HEADER + 1, sizeof frame - ETHERNET_HEADER - 1);
    close(file);
    frame[ETHERNET_HEADER] = EVENT_STATISTICS;
    tell(ends[CABLE], ETHERTYPE_CONTROL, frame, 1 + (length > 0 ? (size_t)length : 0));
}

static void serve(const uint8_t *request, size_t length)
{
    switch (request[0]) {
    case OP_UDP:
        ask(ends[ASKER], request + 1, length - 1);
        break;
    case OP_PING:
        ask(ends[PINGER], request + 1, length - 1);
        break;
    case OP_STATISTICS:
        tell_statistics();
        break;
    case OP_POWER_OFF:
        reboot(RB_POWER_OFF);
        break;
    default:
        break;
    }
}

static void from_cable(void)
{
    static uint8_t frame[FRAME_ROOM];
    const ssize_t length = recv(ends[CABLE], frame, sizeof frame, 0);
    if (length <= ETHERNET_HEADER) {
        return;
    }
    const size_t rest = (size_t)length - ETHERNET_HEADER;
    const unsigned ethertype = (unsigned)frame[12] << 8 | frame[13];
    if (ethertype == ETHERTYPE_AIR && ends[AERIAL] >= 0) {
        if (send(ends[AERIAL], frame + ETHERNET_HEADER, rest, 0) < 0) {
            perror("aerial");
        }
    } else if (ethertype == ETHERTYPE_CONTROL) {
        serve(frame + ETHERNET_HEADER, rest);
    }
}

static void prepare(void)
{
    static uint8_t frame[ETHERNET_HEADER + 5] = {[ETHERNET_HEADER] = EVENT_READY};
    struct icmp6_filter replies;
    mount("proc", "/proc", "proc", 0, NULL);
    mount("sysfs", "/sys", "sysfs", 0, NULL); /* where iwpan looks for radios */
    put("/proc/sys/kernel/modprobe", "\n");   /* no process for each name that is not there */
    const int32_t status = follow(getenv("STEPS"));
    ends[CABLE] = open_packets("vec0", ETH_P_ALL);
    ends[ASKER] = open_port(ASKED_FROM);
    ends[ECHO] = open_port(echo_ports[0]);
    ends[ECHO_SHORT] = open_port(echo_ports[1]);
    ends[PINGER] = socket(AF_INET6, SOCK_RAW, IPPROTO_ICMPV6);
    ICMP6_FILTER_SETBLOCKALL(&replies);
    ICMP6_FILTER_SETPASS(ICMP6_ECHO_REPLY, &replies);
    setsockopt(ends[PINGER], IPPROTO_ICMPV6, ICMP6_FILTER, &replies, sizeof replies);
    memcpy(frame + ETHERNET_HEADER + 1, &status, sizeof status);
    tell(ends[CABLE], ETHERTYPE_CONTROL, frame, 5);
}

int main(void)
{
    prepare();
    for (;;) {
        struct pollfd all[ENDS];
        for (int i = 0; i < ENDS; i++) {
            all[i] = (struct pollfd){.fd = ends[i], .events = POLLIN};
        }
        if (poll(all, ENDS, PATIENCE_MS) == 0) {
            reboot(RB_POWER_OFF);
        }
        for (int i = 0; i < ENDS; i++) {
            if (all[i].revents == 0) {
                continue;
            }
            if (i == CABLE) {
                from_cable();
            } else if (i == AERIAL) {
                relay(ends[AERIAL], ends[CABLE]);
            } else if (i == ASKER || i == PINGER) {
                came(ends[i], i == ASKER ? EVENT_UDP : EVENT_PONG);
            } else {
                echo(ends[i]);
            }
        }
    }
}
