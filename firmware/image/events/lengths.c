/* SPDX-License-Identifier: BSD-3-Clause */
#include "lengths.h"
#include <wardmote/aes128.h>
#include <wardmote/blake2s.h>
#include <wardmote/curupira2.h>
#include <wardmote/eax.h>
#include <wardmote/hmac.h>
#include <wardmote/ketje_sr.h>
#include <wardmote/lettersoup.h>
#include <wardmote/marvin.h>
#include <wardmote/ocb3.h>
#include <wardmote/sha256.h>
#include <wardmote/sha3_256.h>
#include <wardmote/trivium.h>
#include "data.h"

#define CURUPIRA_BLOCK 12u
#define TAG 12u
#define NONCE 11u /* of EAX and OCB3: OCB3 takes less than a block */

static wm_aes128_two_way aes;
static wm_curupira2_key curupira;
static wm_trivium trivium_begun;
static wm_hmac hmac_begun;
static wm_marvin_key marvin_key;
static wm_cmac_key cmac_key;
static wm_ocb3_key ocb3_key;

static uint8_t length(void)
{
    return events_setup_block.octets;
}

bool lengths_start(void)
{
    wm_aes128_tab_expand_inverse(&aes, data_key);
    wm_curupira2_init_both(&curupira, data_key);
    wm_trivium_init(&trivium_begun, data_key, data_nonce);
    wm_hmac_init(&hmac_begun, &wm_hash_sha256, data_key, sizeof data_key);
    return length() <= DATA_INPUT && wm_marvin_derive(&marvin_key, &curupira.cipher) == WM_OK &&
           wm_cmac_derive(&cmac_key, &curupira.cipher) == WM_OK &&
           wm_ocb3_derive(&ocb3_key, &curupira.cipher) == WM_OK;
}

wm_status lengths_aes_encrypt(void)
{
    for (uint8_t n = 0; n < length() / sizeof(wm_block128); n++) {
        wm_aes128_tab_encrypt(&aes.forward, &data_result.block[n]);
    }
    return WM_OK;
}

wm_status lengths_aes_decrypt(void)
{
    for (uint8_t n = 0; n < length() / sizeof(wm_block128); n++) {
        wm_aes128_tab_decrypt(&aes, &data_result.block[n]);
    }
    return WM_OK;
}

wm_status lengths_curupira_encrypt(void)
{
    for (uint8_t at = 0; at + CURUPIRA_BLOCK <= length(); at += CURUPIRA_BLOCK) {
        wm_curupira2_encrypt(&curupira.schedule, data_result.octet + at);
    }
    return WM_OK;
}

wm_status lengths_curupira_decrypt(void)
{
    for (uint8_t at = 0; at + CURUPIRA_BLOCK <= length(); at += CURUPIRA_BLOCK) {
        wm_curupira2_decrypt(&curupira.schedule, data_result.octet + at);
    }
    return WM_OK;
}

wm_status lengths_trivium(void)
{
    wm_trivium context = trivium_begun;
    wm_trivium_crypt(&context, data_result.octet, length());
    return WM_OK;
}

wm_status lengths_blake2s(void)
{
    wm_blake2s_digest(data_input, length(), data_result.octet);
    return WM_OK;
}

wm_status lengths_sha3_256(void)
{
    wm_sha3_256_digest(data_input, length(), data_result.octet);
    return WM_OK;
}

wm_status lengths_hmac_sha256(void)
{
    wm_hmac context = hmac_begun;
    wm_hmac_update(&context, data_input, length());
    return wm_hmac_final(&context, data_result.octet, 32);
}

wm_status lengths_marvin(void)
{
    wm_marvin context;
    wm_status status = wm_marvin_init(&context, &marvin_key);
    wm_marvin_update(&context, data_input, length());
    return status == WM_OK ? wm_marvin_final(&context, data_result.octet, TAG) : status;
}

wm_status lengths_eax(void)
{
    return wm_eax_seal(&cmac_key, data_nonce, NONCE, data_input, length(), data_result.octet,
                       length(), data_result.octet + length(), TAG);
}

wm_status lengths_ocb3(void)
{
    return wm_ocb3_seal(&ocb3_key, data_nonce, NONCE, data_input, length(), data_result.octet,
                        length(), data_result.octet + length(), TAG);
}

wm_status lengths_lettersoup(void)
{
    return wm_lettersoup_seal(&curupira.cipher, data_nonce, data_input, length(), data_result.octet,
                              length(), data_result.octet + length(), TAG);
}

wm_status lengths_ketje_sr(void)
{
    wm_ketje_sr_seal(data_key, data_nonce, data_input, length(), data_result.octet, length(),
                     data_result.octet + length());
    return WM_OK;
}
