/* SPDX-License-Identifier: BSD-3-Clause */
#include "cable.h"

#include <arpa/inet.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

int open_packets(const char *name, uint16_t protocol)
{
    const int opened = socket(AF_PACKET, SOCK_RAW, 0);
    const struct sockaddr_ll end = {.sll_family = AF_PACKET,
                                    .sll_protocol = htons(protocol),
                                    .sll_ifindex = (int)if_nametoindex(name)};
    if (opened >= 0 && bind(opened, (const struct sockaddr *)&end, sizeof end) < 0) {
        perror(name);
    }
    return opened;
}

void tell(int cable, uint16_t ethertype, uint8_t *frame, size_t length)
{
    memset(frame, 0xFF, 6);
    memset(frame + 6, 0x02, 6);
    frame[12] = (uint8_t)(ethertype >> 8);
    frame[13] = (uint8_t)ethertype;
    if (send(cable, frame, ETHERNET_HEADER + length, 0) < 0) {
        perror("cable");
    }
}

/* The aerial's own frames are heard there too and left out. */
void relay(int aerial, int cable)
{
    static uint8_t frame[FRAME_ROOM];
    struct sockaddr_ll source;
    socklen_t size = sizeof source;
    const ssize_t length = recvfrom(aerial, frame + ETHERNET_HEADER, sizeof frame - ETHERNET_HEADER,
                                    0, (struct sockaddr *)&source, &size);
    if (length > FCS && source.sll_pkttype != PACKET_OUTGOING) {
        tell(cable, ETHERTYPE_AIR, frame, (size_t)length - FCS);
    }
}
