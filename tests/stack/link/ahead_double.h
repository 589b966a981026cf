/* SPDX-License-Identifier: BSD-3-Clause */
/** @file ahead_double.h
 *  Nodes of port_double.h that work ahead of the slot: test double of port/tsch_ahead_port.h. */
#ifndef TESTS_STACK_LINK_AHEAD_DOUBLE_H
#define TESTS_STACK_LINK_AHEAD_DOUBLE_H

#include <wardmote/tsch_ahead.h>

/** What an instrument sees of the nodes: each block of AES, as input and output, and what is loaded
 *  into the radio. psdu_len 0: octets behind those of the load before. */
typedef struct ahead_double_eye {
    void (*block)(uint8_t node, uint8_t key_slot, const uint8_t *in, const uint8_t *out);
    /** false: the radio's FIFO ran empty */
    bool (*load)(uint8_t node, wm_psdu_len psdu_len, const uint8_t *octets, wm_psdu_len len);
} ahead_double_eye;

/** From now on `eye` sees; NULL: nobody does. */
void ahead_double_watch(const ahead_double_eye *eye);

/** Of the blocks of AES from now on, the `block`-th fails as that of an engine may: its octets are
 *  others, and the cipher says so when it is asked. 0: none. */
void ahead_double_fail_at(uint16_t block);

/** The running node's radio has a whole secured frame: the eye sees it. */
void ahead_double_loaded(void);

/** From now on a node works ahead of the slot. */
void ahead_double_use(uint8_t node);

/** Of the frame that was delivered last so many octets have arrived, its length octet and the two in
 *  place of its FCS included. port_double_deliver alone: all of them. */
void ahead_double_arrives(uint8_t node, wm_psdu_len octets);

/** wm_ahead_work of a node. */
bool ahead_double_work(uint8_t node);

wm_ahead *ahead_double_state(uint8_t node);

/** Whether anything is left of a keystream, or of a CBC-MAC, which may be a tag. */
bool ahead_double_keeps(uint8_t node);

/** Ticks of a frame on the air, as the stack counts them. */
uint16_t ahead_double_air(wm_psdu_len psdu_len);

#endif
