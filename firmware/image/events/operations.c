/* SPDX-License-Identifier: BSD-3-Clause */
#include "operations.h"
#include <stddef.h>
#include <wardmote/aes128.h>
#include <wardmote/ascon_aead128.h>
#include <wardmote/ascon_hash256.h>
#include <wardmote/blake2s.h>
#include <wardmote/ccm.h>
#include <wardmote/ctr.h>
#include <wardmote/curupira2.h>
#include <wardmote/eax.h>
#include <wardmote/hmac.h>
#include <wardmote/ketje_sr.h>
#include <wardmote/lettersoup.h>
#include <wardmote/marvin.h>
#include <wardmote/ocb3.h>
#include <wardmote/sha256.h>
#include <wardmote/sha3_256.h>
#include "data.h"
#include "events_block.h"
#include "lengths.h"

#define INPUT DATA_INPUT
#define SHORT_INPUT 108u /* whole blocks of Curupira-2 */
#define FRAME_A 35u
#define FRAME_M 86u
#define FRAME_TAG 4u
#define TAG 16u
#define SHORT_TAG 12u
#define NONCE 12u /* of EAX and OCB3 */
#define KEY_FIRST 64u
#define NONCE_FIRST 128u
#define WAIT_TURNS 20000u

uint8_t data_input[DATA_INPUT];
uint8_t data_key[16], data_nonce[16];
union data_result data_result;
_Static_assert(INPUT + TAG <= EVENTS_OUTPUT_MAX, "a message with its tag");

/* Of the keys one is in use at a time. */
static wm_aes128_tab_key aes_key;
static wm_curupira2_key curupira_key;
static wm_marvin_key marvin_key;
static wm_cmac_key cmac_key;
static wm_ocb3_key ocb3_key;

static wm_status nothing(void)
{
    return WM_OK;
}

static wm_status wait(void)
{
    for (uint16_t turns = WAIT_TURNS; turns != 0; turns--) {
        __asm__ volatile("");
    }
    return WM_OK;
}

static wm_status aes128(void)
{
    wm_aes128_tab_encrypt(&aes_key.schedule, &data_result.block[0]);
    return WM_OK;
}

static wm_status ctr(size_t len)
{
    wm_ctr context;
    wm_status status = wm_ctr_init(&context, &aes_key.cipher, data_nonce);
    return status == WM_OK ? wm_ctr_crypt(&context, data_result.octet, len) : status;
}

static wm_status ctr_16(void)
{
    return ctr(sizeof data_result.block[0]);
}

static wm_status ctr_128(void)
{
    return ctr(INPUT);
}

#define DIGEST(hash)                                                                               \
    static wm_status hash(void)                                                                    \
    {                                                                                              \
        wm_##hash##_digest(data_input, INPUT, data_result.octet);                                  \
        return WM_OK;                                                                              \
    }
DIGEST(sha256)
DIGEST(blake2s)
DIGEST(sha3_256)
DIGEST(ascon_hash256)

static wm_status hmac_sha256(void)
{
    wm_hmac context;
    wm_hmac_init(&context, &wm_hash_sha256, data_key, sizeof data_key);
    wm_hmac_update(&context, data_input, INPUT);
    return wm_hmac_final(&context, data_result.octet, 32);
}

static wm_status marvin(void)
{
    wm_marvin context;
    wm_status status = wm_marvin_init(&context, &marvin_key);
    wm_marvin_update(&context, data_input, SHORT_INPUT);
    return status == WM_OK ? wm_marvin_final(&context, data_result.octet, SHORT_TAG) : status;
}

static wm_status lettersoup(void)
{
    return wm_lettersoup_seal(&curupira_key.cipher, data_nonce, NULL, 0, data_result.octet,
                              SHORT_INPUT, data_result.octet + SHORT_INPUT, SHORT_TAG);
}

static wm_status ccm(void)
{
    return wm_ccm_seal(&aes_key.cipher, data_nonce, data_input, FRAME_A, data_result.octet, FRAME_M,
                       data_result.octet + FRAME_M, FRAME_TAG);
}

static wm_status eax(void)
{
    return wm_eax_seal(&cmac_key, data_nonce, NONCE, NULL, 0, data_result.octet, INPUT,
                       data_result.octet + INPUT, TAG);
}

static wm_status ocb3(void)
{
    return wm_ocb3_seal(&ocb3_key, data_nonce, NONCE, NULL, 0, data_result.octet, INPUT,
                        data_result.octet + INPUT, TAG);
}

static wm_status ascon_aead128(void)
{
    wm_ascon_aead128_seal(data_key, data_nonce, NULL, 0, data_result.octet, INPUT,
                          data_result.octet + INPUT);
    return WM_OK;
}

static wm_status ketje_sr(void)
{
    wm_ketje_sr_seal(data_key, data_nonce, NULL, 0, data_result.octet, INPUT,
                     data_result.octet + INPUT);
    return WM_OK;
}

static wm_status (*const OPERATION[OPERATIONS])(void) = {
    [OPERATION_NOTHING] = nothing,
    [OPERATION_WAIT] = wait,
    [OPERATION_AES128] = aes128,
    [OPERATION_CTR_16] = ctr_16,
    [OPERATION_CTR_128] = ctr_128,
    [OPERATION_SHA256] = sha256,
    [OPERATION_BLAKE2S] = blake2s,
    [OPERATION_SHA3_256] = sha3_256,
    [OPERATION_ASCON_HASH256] = ascon_hash256,
    [OPERATION_HMAC_SHA256] = hmac_sha256,
    [OPERATION_MARVIN] = marvin,
    [OPERATION_LETTERSOUP] = lettersoup,
    [OPERATION_CCM] = ccm,
    [OPERATION_EAX] = eax,
    [OPERATION_OCB3] = ocb3,
    [OPERATION_ASCON_AEAD128] = ascon_aead128,
    [OPERATION_KETJE_SR] = ketje_sr,
    [OPERATION_AES_BLOCKS] = lengths_aes_encrypt,
    [OPERATION_AES_BLOCKS_BACK] = lengths_aes_decrypt,
    [OPERATION_CURUPIRA_BLOCKS] = lengths_curupira_encrypt,
    [OPERATION_CURUPIRA_BLOCKS_BACK] = lengths_curupira_decrypt,
    [OPERATION_TRIVIUM] = lengths_trivium,
    [OPERATION_BLAKE2S_OF] = lengths_blake2s,
    [OPERATION_SHA3_256_OF] = lengths_sha3_256,
    [OPERATION_HMAC_OF] = lengths_hmac_sha256,
    [OPERATION_MARVIN_OF] = lengths_marvin,
    [OPERATION_EAX_OF] = lengths_eax,
    [OPERATION_OCB3_OF] = lengths_ocb3,
    [OPERATION_LETTERSOUP_OF] = lengths_lettersoup,
    [OPERATION_KETJE_SR_OF] = lengths_ketje_sr,
};
static wm_status (*chosen)(void) = nothing;

bool operations_start(uint8_t number)
{
    if (number >= OPERATIONS) {
        return false;
    }
    chosen = OPERATION[number];
    for (uint8_t n = 0; n < INPUT; n++) {
        data_input[n] = n;
    }
    for (uint8_t n = 0; n < sizeof data_key; n++) {
        data_key[n] = (uint8_t)(KEY_FIRST + n);
        data_nonce[n] = (uint8_t)(NONCE_FIRST + n);
    }
    wm_aes128_tab_init(&aes_key, data_key);
    wm_curupira2_init(&curupira_key, data_key);
    return wm_cmac_derive(&cmac_key, &aes_key.cipher) == WM_OK &&
           wm_marvin_derive(&marvin_key, &curupira_key.cipher) == WM_OK &&
           wm_ocb3_derive(&ocb3_key, &aes_key.cipher) == WM_OK && lengths_start();
}

void operations_prepare(void)
{
    for (uint16_t n = 0; n < INPUT; n++) {
        data_result.octet[n] = data_input[n];
    }
}

wm_status operations_run(void)
{
    return chosen();
}

bool operations_right(const uint8_t *expected, uint8_t len)
{
    uint8_t differ = len > EVENTS_OUTPUT_MAX;
    for (uint8_t n = 0; n < len && n < EVENTS_OUTPUT_MAX; n++) {
        differ |= data_result.octet[n] ^ expected[n];
    }
    return differ == 0;
}
