/* SPDX-License-Identifier: BSD-3-Clause */
/** @file lengths.h
 *  Operations on as many octets as the block says, events_setup.octets: those that a paper drew by
 *  length. Block ciphers take their blocks one by one. Curupira-2 is under Marvin, EAX, OCB3 and
 *  LetterSoup, whose associated data are as long as the message; tags have 12 octets, those of
 *  Ketje 16. */
#ifndef FIRMWARE_EVENTS_LENGTHS_H
#define FIRMWARE_EVENTS_LENGTHS_H

#include <stdbool.h>
#include <wardmote/status.h>

/** Expands keys; data.h has them. */
bool lengths_start(void);

wm_status lengths_aes_encrypt(void);
wm_status lengths_aes_decrypt(void);
wm_status lengths_curupira_encrypt(void);
wm_status lengths_curupira_decrypt(void);
wm_status lengths_trivium(void); /**< a new initial value apart: the operation alone */
wm_status lengths_blake2s(void);
wm_status lengths_sha3_256(void);
wm_status lengths_hmac_sha256(void); /**< under a key that is set up: update and final */
wm_status lengths_marvin(void);      /**< the same */
wm_status lengths_eax(void);
wm_status lengths_ocb3(void);
wm_status lengths_lettersoup(void);
wm_status lengths_ketje_sr(void);

#endif
