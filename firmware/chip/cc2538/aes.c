/* SPDX-License-Identifier: BSD-3-Clause */
/* Security engine.
 * References: SWRU319, AES: key store, DMA, AES-ECB, AES-CTR, AES-CCM; RFC 3610 for the names. Both
 * DMA channels stay enabled: each works when its length is written. Between operations no algorithm
 * is selected, which stops the engine's clocks. Octets of blocks, keys and IVs are in memory order:
 * the least significant octet of the first register comes first.
 *
 * The driver polls the interrupt flags: DMA_IN_DONE when an input is read, RESULT_AV at the end of
 * an operation. It clears them after an operation, so no operation sees the flags of an earlier one.
 * A wait gives up after WAIT_TURNS; the longest, for a full frame, takes some hundred turns.
 *
 * An engine may fail: it has no clock, does not begin, does not end, or changes nothing. So a result
 * counts only when it is another than the input, or, of a MIC, another than zeros and than the one
 * before: 1 in 2^32 frames is lost by chance, none accepted. After a failure the engine forgets the
 * operation, and the next one sets it up anew, keys included. Only that asks whether it failed: a
 * block takes as long as if none ever did. */
#include "aes.h"
#include <wardmote/octets.h>
#include "clock.h"
#include "cpu.h"
#include "registers.h"

#define INT_ERRORS (INT_DMA_BUS_ERR | INT_KEY_ST_WR_ERR | INT_KEY_ST_RD_ERR)
#define INT_DONE (INT_DMA_IN_DONE | INT_RESULT_AV)
#define INT_ALL (INT_ERRORS | INT_DONE)
#define WAIT_TURNS 2000u

#define BLOCK_LEN 16u
#define L_MINUS_1 1u          /* L' */
#define COUNTER_1 0x01000000u /* last octet of an IV: the counter block A_1 */

/* The keys, at word addresses in RAM, because the engine's DMA reads words. Key n goes to area
 * n. */
static uint32_t keys[AES_KEY_AREAS][4];
static uint32_t keys_given; /* bit n: key n */
/* A failure stays until it was asked for, whatever begins before. */
static enum { RESTS, GOES_ON, FAILED } blocks;

/* The words of the last MIC, xored: they do not tell it. */
static uint32_t last_mic;

/* What clock_power_downs was when the engine was set up with all its keys; or a number before: it is
 * to be set up. */
static uint32_t set_up_at = UINT32_MAX;

static void set_up_next(void)
{
    set_up_at = clock_power_downs - 1;
}

static bool is_set_up(void)
{
    return __builtin_expect(set_up_at == clock_power_downs, true);
}

/* Returns false on an error, or if nothing happens for too long. */
static inline bool wait_for(uint32_t flag)
{
    uint32_t other = INT_DONE & ~flag;
    uint32_t status = CTRL_INT_STAT & ~other;
    for (uint32_t turns = WAIT_TURNS; status == 0 && turns != 0; turns--) {
        status = CTRL_INT_STAT & ~other;
    }
    return status == flag;
}

/* After an operation without errors. */
static void finish(void)
{
    CTRL_INT_CLR = INT_DONE;
    CTRL_ALG_SEL = ALG_NONE;
}

/* After an error the DMA controller does nothing until it is reset, which disables its channels. */
static __attribute__((noinline)) void recover(void)
{
    set_up_next();
    DMAC_SWRES = 1;
    CTRL_INT_CLR = INT_ALL;
    CTRL_ALG_SEL = ALG_NONE;
    (void)AES_TAG_OUT_3; /* AES_SAVED_CONTEXT_READY goes with it */
}

static void dma_in(const void *from, uint32_t len)
{
    DMAC_CH0_EXTADDR = (uintptr_t)from;
    DMAC_CH0_DMALENGTH = len;
}

static void dma_out(void *to, uint32_t len)
{
    DMAC_CH1_EXTADDR = (uintptr_t)to;
    DMAC_CH1_DMALENGTH = len;
}

/* Stores the keys of `count` areas from `area` on, in one operation. The areas are freed first,
 * because a key can only be written to a free area. */
static bool store_keys(uint32_t area, uint32_t count)
{
    uint32_t bits = ((1u << count) - 1u) << area;
    cpu_memory_changes();
    CTRL_INT_CLR = INT_ALL;
    CTRL_ALG_SEL = ALG_KEY_STORE;
    KEY_STORE_WRITTEN_AREA = bits;
    KEY_STORE_WRITE_AREA = bits;
    dma_in(keys[area], count * BLOCK_LEN);
    if (!wait_for(INT_RESULT_AV)) {
        recover();
        return false;
    }
    finish();
    if ((KEY_STORE_WRITTEN_AREA & bits) != bits) {
        set_up_next();
    }
    return is_set_up();
}

/* Of the two areas those whose key is given. */
_Static_assert(AES_KEY_AREAS == 2, "keys that are given lie side by side");
static void store_all_keys(void)
{
    uint32_t first = keys_given & 1u, second = keys_given >> 1;
    if (keys_given != 0) {
        (void)store_keys(1u - first, first + second);
    }
}

/* If a key cannot be stored, every operation with it fails until it can. Without its clock the
 * engine has no registers.
 * @retval false  it has no clock */
static __attribute__((noinline)) bool set_up(void)
{
    RCGCSEC = CGC_AES;
    for (uint32_t turn = 0; RCGCSEC != CGC_AES; turn++) {
        if (turn == WAIT_TURNS) {
            return false;
        }
    }
    CTRL_INT_CFG = INT_CFG_LEVEL;
    CTRL_INT_EN = INT_DONE;
    CTRL_INT_CLR = INT_ALL;
    KEY_STORE_SIZE = KEY_SIZE_128;
    DMAC_CH0_CTRL = DMAC_CH_EN;
    DMAC_CH1_CTRL = DMAC_CH_EN;
    set_up_at = clock_power_downs;
    store_all_keys();
    return true;
}

static bool ready(void)
{
    return is_set_up() || set_up();
}

/* Without its key the operation does not begin. */
static __attribute__((noinline)) void wait_for_key(void)
{
    for (uint32_t turns = WAIT_TURNS; (KEY_STORE_READ_AREA & KEY_STORE_BUSY) != 0 && turns != 0;
         turns--) {
    }
}

static void select_key(uint8_t area)
{
    CTRL_ALG_SEL = ALG_AES;
    KEY_STORE_READ_AREA = area;
}

static void key_selected(void)
{
    if ((KEY_STORE_READ_AREA & KEY_STORE_BUSY) != 0) {
        wait_for_key();
    }
}

bool aes_key(uint8_t area, const uint8_t key[16])
{
    __builtin_memcpy(keys[area], key, BLOCK_LEN);
    keys_given |= 1u << area;
    return ready() && store_keys(area, 1);
}

void aes_blocks_begin(void)
{
    if (__builtin_expect(blocks != FAILED, true)) {
        blocks = ready() ? GOES_ON : FAILED;
    }
}

static __attribute__((noinline)) void fail_block(void)
{
    blocks = FAILED;
    recover();
}

void aes_block(uint8_t area, uint32_t block[4])
{
    if (__builtin_expect(blocks != GOES_ON, false)) {
        return;
    }
    select_key(area);
    cpu_memory_changes(); /* what follows is done while the engine takes the key */
    uint32_t first = block[0];
    DMAC_CH0_EXTADDR = (uintptr_t)block;
    DMAC_CH1_EXTADDR = (uintptr_t)block;
    key_selected();
    AES_CTRL = AES_ENCRYPT;
    AES_C_LENGTH_0 = BLOCK_LEN;
    AES_C_LENGTH_1 = 0;
    cpu_memory_changes();
    DMAC_CH0_DMALENGTH = BLOCK_LEN;
    DMAC_CH1_DMALENGTH = BLOCK_LEN;
    bool done = wait_for(INT_RESULT_AV);
    cpu_memory_changes();
    if (__builtin_expect(!done || block[0] == first, false)) {
        fail_block();
        return;
    }
    CTRL_INT_CLR = INT_DONE;
}

bool aes_blocks_end(void)
{
    if (__builtin_expect(blocks == GOES_ON, true)) {
        CTRL_ALG_SEL = ALG_NONE;
        return true;
    }
    blocks = RESTS;
    return false;
}

void aes_ccm_begin(const aes_ccm *op, const uint8_t *a)
{
    if (!ready()) {
        return; /* aes_ccm_end tells it */
    }
    select_key(op->area);
    cpu_memory_changes(); /* what follows is computed while the engine takes the key */
    const uint8_t *nonce = op->nonce;
    uint32_t control = AES_CTR | AES_CTR_WIDTH_128;
    uint32_t iv0 = wm_load_le32(nonce) << 8 | L_MINUS_1;
    uint32_t iv1 = wm_load_le32(nonce + 3);
    uint32_t iv2 = wm_load_le32(nonce + 7);
    uint32_t counter = wm_load_le16(nonce + 11);
    if (op->mic_len != 0) {
        control |= AES_SAVE_CONTEXT | AES_CCM |
                   ((uint32_t)op->mic_len / 2u - 1u) << AES_CCM_M_SHIFT |
                   L_MINUS_1 << AES_CCM_L_SHIFT;
        control |= op->encrypt ? AES_ENCRYPT : 0;
    } else {
        control |= AES_ENCRYPT;
        counter |= COUNTER_1;
    }
    cpu_memory_changes();
    key_selected();
    AES_IV_0 = iv0;
    AES_IV_1 = iv1;
    AES_IV_2 = iv2;
    AES_IV_3 = counter;
    AES_CTRL = control;
    AES_C_LENGTH_0 = op->m_len;
    AES_C_LENGTH_1 = 0;
    if (op->mic_len != 0) {
        AES_AUTH_LENGTH = op->a_len;
    }
    cpu_memory_changes();
    if (op->a_len != 0) {
        dma_in(a, op->a_len);
    }
}

void aes_ccm_message(const aes_ccm *op, const uint8_t *m, uint8_t *out)
{
    if (!is_set_up()) {
        return;
    }
    if (op->a_len != 0) {
        (void)wait_for(INT_DMA_IN_DONE); /* an error stays set: aes_ccm_end tells it */
    }
    cpu_memory_changes();
    dma_in(m, op->m_len);
    dma_out(out, op->m_len);
}

bool aes_ccm_end(const aes_ccm *op, uint32_t mic[4])
{
    if (!is_set_up()) {
        return false;
    }
    bool done = wait_for(INT_RESULT_AV);
    if (done && op->mic_len != 0) {
        uint32_t turn = 0;
        while ((AES_CTRL & AES_SAVED_CONTEXT_READY) == 0 && turn < WAIT_TURNS) {
            turn++;
        }
        done = turn < WAIT_TURNS;
        mic[0] = AES_TAG_OUT_0;
        mic[1] = AES_TAG_OUT_1;
        mic[2] = AES_TAG_OUT_2;
        mic[3] = AES_TAG_OUT_3;
        uint32_t now = mic[0] ^ mic[1] ^ mic[2] ^ mic[3];
        done = done && now != last_mic && (mic[0] | mic[1] | mic[2] | mic[3]) != 0;
        last_mic = now;
    }
    cpu_memory_changes();
    if (!done) {
        recover();
        return false;
    }
    finish();
    return true;
}
