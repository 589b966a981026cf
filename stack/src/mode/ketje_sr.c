/* SPDX-License-Identifier: BSD-3-Clause */
/* Ketje Sr v1: Keccak-p[400], blocks of 4 octets. */
#include <wardmote/ketje_sr.h>
#include "../hash/keccak_p.h"

#define KETJE wm_ketje_sr
#define SEAL WM_KETJE_SR_SEAL
#define OPEN WM_KETJE_SR_OPEN
#define KEY_LEN WM_KETJE_SR_KEY_LEN
#define NONCE_LEN WM_KETJE_SR_NONCE_LEN
#define TAG_LEN WM_KETJE_SR_TAG_LEN
#define LANE uint16_t
#define LANE_OCTETS 2
#define PERMUTE wm_keccak_p400
#include "ketje_wrap.h"
