/* SPDX-License-Identifier: BSD-3-Clause */
/** @file cable.h
 *  Ends of a guest: sockets for whole frames, and the cable to the host. */
#ifndef PEER_CABLE_H
#define PEER_CABLE_H

#include <stddef.h>
#include <stdint.h>

#define ETHERTYPE_AIR 0x809A
#define ETHERTYPE_CONTROL 0x88B5 /* IEEE 802: local experiments */
#define ETHERNET_HEADER 14
#define FRAME_ROOM 2048
#define FCS 2

/** A socket for the frames of this protocol on an interface. */
int open_packets(const char *name, uint16_t protocol);

/** Sends `length` octets behind an Ethernet header, for which there is room at `frame`. */
void tell(int cable, uint16_t ethertype, uint8_t *frame, size_t length);

/** Tells the frame that waits at an aerial, unless it sent it itself. */
void relay(int aerial, int cable);

#endif
