/* SPDX-License-Identifier: BSD-3-Clause */
/** @file node_double.h
 *  Test double of what wm_ipv6_node calls: an application, and IPsec that answers what the test
 *  says. */
#ifndef TESTS_STACK_NET_NODE_DOUBLE_H
#define TESTS_STACK_NET_NODE_DOUBLE_H

#include <wardmote/ipv6_node.h>

/** What both functions of IPsec answer from now on. */
void node_double_says(int8_t unsecures, int8_t secures);

/** Gives a node the functions of the double: an application whose port 7 echoes, whose port 8 answers
 *  more octets than there is room for, and whose port 9 takes; and both of IPsec. */
void node_double_wire(wm_ipv6_node *node, uint8_t udp, uint8_t secures, uint8_t unsecures);

/** A node with policies whose functions somebody forgot. */
void node_double_forgets(wm_ipv6_node *node);

/** Datagrams that the application got so far with `secured`, modulo 256. */
uint8_t node_double_secured(void);

#endif
