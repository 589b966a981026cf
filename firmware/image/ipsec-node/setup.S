/* SPDX-License-Identifier: BSD-3-Clause */
/* The room of the block that sets the node up, for no compiler to look at: whoever programs the node
 * fills it. As IPSEC_NODE_SETUP_OCTETS says. */
    .section .rodata.ipsec_node_setup, "a", %progbits
    .global ipsec_node_setup_block
    .type ipsec_node_setup_block, %object
    .balign 8
ipsec_node_setup_block:
    .space 768
    .size ipsec_node_setup_block, 768
