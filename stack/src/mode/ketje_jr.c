/* SPDX-License-Identifier: BSD-3-Clause */
/* Ketje Jr v1: Keccak-p[200], blocks of 2 octets. */
#include <wardmote/ketje_jr.h>
#include "../hash/keccak_p.h"

#define KETJE wm_ketje_jr
#define SEAL WM_KETJE_JR_SEAL
#define OPEN WM_KETJE_JR_OPEN
#define KEY_LEN WM_KETJE_JR_KEY_LEN
#define NONCE_LEN WM_KETJE_JR_NONCE_LEN
#define TAG_LEN WM_KETJE_JR_TAG_LEN
#define LANE uint8_t
#define LANE_OCTETS 1
#define PERMUTE wm_keccak_p200
#include "ketje_wrap.h"
