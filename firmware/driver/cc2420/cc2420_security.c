/* SPDX-License-Identifier: BSD-3-Clause */
/* The security engine.
 * References: SWRS041B §21 (MAC security operations), table 6 (memory). SECCTRL0 and SECCTRL1
 * have copies here, so that a register is written only when its value changes. Nonce memory,
 * most significant octet first: flags | nonce 13 | block counter 2, which begins at 1. The flags
 * are not those of RFC 3610: bits 6:5 and 4:3 are bits 7:6 of the CTR and CBC-MAC flags, bits
 * 2:0 are L - 1; the engine makes both flag octets of them and SEC_M. So "a is not empty"
 * (CBC-MAC flag bit 6) is bit 3 here; a MAC header never is. The engine counts blocks in a copy of
 * its own and leaves the block counter in memory as it is.
 *
 * An engine may fail: it ignores its strobe, does not end, or changes nothing. So nothing counts as
 * done because the engine is idle. The driver knows before an operation which octets it must
 * change, and looks at them afterwards. After a failure it resets the engine, so that no strobe
 * takes effect late. Few octets are looked at. If they stay as they were by chance, a frame is
 * lost, and none is accepted: 1 in 2^32 blocks or frames, and 1 in 256 of those with one encrypted
 * octet and no MIC. */
#include "cc2420.h"
#include "cc2420_access.h"
#include "cc2420_pins.h"
#include "cc2420_registers.h"
#include "cc2420_security.h"
#include "spi.h"
#include "tick.h"

#define NONCE_FLAGS 0x09u /* a is not empty (CTR does not look at it) | L - 1 = 1 */
#define NONCE_LEN 13
#define NONCE_FIXED_WORDS 4 /* source address, or what stands for it: seldom changes */
#define NONCE_FIXED_LEN 8
#define NONCE_COUNTER_LEN 2
#define BLOCK_LEN 16

/* A poll takes 30 cycles and more: 0.9 ms at 8 MHz. A full frame takes the engine 0.25 ms (18
 * blocks). */
#define DECRYPT_POLLS 255

/* A block takes 14 us. 32 polls: 0.12 ms at 8 MHz. */
#define BLOCK_POLLS 32

/* From the strobe that sends, in ticks of 30.5 us: longer than the engine takes for a full frame,
 * and before the first octet leaves that may not leave in clear: 352 us and 32 us an octet of the
 * header. */
#define SEND_TICKS 10u

#define SEC_IDLE 0u /* no RXFIFO protection: frames are read whole before the next may come */
#define SEC_MODE_MASK 0x1Fu
#define SECCTRL1_TXL_SHIFT 8
#define SECCTRL1_RXL_MASK 0x7Fu

static uint16_t secctrl0, secctrl1;

/* First octets of the nonces in the radio's memory. */
typedef struct fixed_part {
    uint16_t word[NONCE_FIXED_WORDS];
    bool known;
} fixed_part;
static fixed_part tx_fixed, rx_fixed;

/* Octets in the radio's memory that an operation is to change. Of a frame to send they are the place
 * of its MIC; without a MIC, the first that are encrypted. */
#define EVIDENCE_MAX 4u
typedef struct evidence {
    uint8_t from; /* octet of the frame */
    uint8_t len;  /* 0: nothing is to change */
    uint8_t before[EVIDENCE_MAX];
} evidence;
static evidence tx_evidence, rx_evidence;

/* Of a received frame it is the last octet of the MIC, in whose place the engine writes its verdict.
 * The sender may have written what says "right", or "wrong". Then another octet counts: the engine's
 * CBC-MAC is kept in the radio's memory (table 6), where a mark is put while nothing comes in yet. A
 * chip that did not write it there would lose 1 frame in 256. */
#define CBC_MARK 0x5Au
static uint8_t rx_last, cbc_after;
static bool rx_used;   /* frames are decrypted in place: a mark is wanted */
static bool rx_marked; /* and the engine has done nothing since */

static bool block_failed; /* since it was last asked */

static void set_secctrl0(uint16_t value)
{
    if (value != secctrl0) {
        secctrl0 = value;
        cc2420_put_register(CC2420_SECCTRL0, value);
    }
}

static void set_secctrl1(uint16_t value)
{
    if (value != secctrl1) {
        secctrl1 = value;
        cc2420_put_register(CC2420_SECCTRL1, value);
    }
}

/* Whatever it was asked to do is forgotten. */
static __attribute__((noinline)) void reset_engine(void)
{
    rx_marked = false; /* what a reset does to its memory is not said */
    cc2420_pin_select();
    cc2420_put_register(CC2420_MAIN, CC2420_MAIN_RUN & (uint16_t)~CC2420_MAIN_ENC_RESETN);
    cc2420_put_register(CC2420_MAIN, CC2420_MAIN_RUN);
    spi_end();
    cc2420_pin_release();
}

void cc2420_security_start(void)
{
    tx_evidence.len = 0;
    rx_marked = false;
    block_failed = false;
    secctrl0 = CC2420_SECCTRL0_RESET;
    secctrl1 = CC2420_SECCTRL1_RESET;
    tx_fixed.known = false;
    rx_fixed.known = false;
    cc2420_pin_select();
    set_secctrl0(SEC_IDLE);
    spi_end();
    cc2420_pin_release();
}

void cc2420_security_off(void)
{
    tx_evidence.len = 0;
    set_secctrl0(secctrl0 & (uint16_t)~SEC_MODE_MASK);
}

static void write_ram_reversed(uint16_t address, const uint8_t *from, uint8_t len)
{
    cc2420_pin_select();
    spi_write1(CC2420_RAM_FIRST(address));
    spi_write1(CC2420_RAM_SECOND(address));
    spi_write_reversed(from, len);
    spi_end();
    cc2420_pin_release();
}

void cc2420_key(uint8_t number, const uint8_t key[16])
{
    write_ram_reversed(number == 0 ? CC2420_RAM_KEY0 : CC2420_RAM_KEY1, key, BLOCK_LEN);
}

/* Octets of a block before it is encrypted: kept in memory, because there are cycles to spare while
 * the engine works and none for another register. */
static uint16_t before_aes[2];

static __attribute__((noinline)) void fail_block(void)
{
    block_failed = true;
    reset_engine();
}

/* Stand-alone: data lies in SABUF in its own order. SNOPs follow SAES until the engine, 14 us, is
 * done; then the same selection goes on with the memory access. AES changes every block, but for
 * one in 2^128. */
void cc2420_aes(uint8_t number, uint8_t block[16])
{
    const uint16_t *word = (const uint16_t *)__builtin_assume_aligned(block, sizeof(uint16_t));
    cc2420_pin_select();
    if ((number != 0) != ((secctrl0 & CC2420_SEC_SAKEYSEL) != 0)) {
        set_secctrl0(secctrl0 ^ CC2420_SEC_SAKEYSEL);
    }
    spi_write1(CC2420_RAM_FIRST(CC2420_RAM_SABUF));
    spi_write1(CC2420_RAM_SECOND(CC2420_RAM_SABUF));
    spi_write(block, BLOCK_LEN);
    spi_end();
    cc2420_pin_release();
    cc2420_pin_select();
    (void)spi_exchange(CC2420_SAES);
    before_aes[0] = word[0]; /* with them the third poll comes just after the 14 us, at 8 MHz */
    before_aes[1] = word[1];
    uint16_t patience = BLOCK_POLLS;
    while ((spi_exchange(CC2420_SNOP) & CC2420_ENC_BUSY) != 0) {
        if (--patience == 0) {
            cc2420_pin_release();
            fail_block();
            return;
        }
    }
    spi_read_after2(CC2420_RAM_FIRST(CC2420_RAM_SABUF),
                    CC2420_RAM_SECOND(CC2420_RAM_SABUF) | CC2420_RAM_READ, block, BLOCK_LEN);
    cc2420_pin_release();
    if (word[0] == before_aes[0] && word[1] == before_aes[1]) {
        fail_block();
    }
}

bool cc2420_aes_failed(void)
{
    bool failed = block_failed;
    block_failed = false;
    return failed;
}

/* SEC_M and mode of an operation. */
static uint16_t mode_of(const cc2420_inline *op)
{
    if (op->mic_len == 0) {
        return CC2420_SEC_CTR;
    }
    uint16_t sec_m = (uint16_t)(op->mic_len >> 1) - 1u; /* (M - 2) / 2 */
    return sec_m << CC2420_SEC_M_SHIFT | CC2420_SEC_CCM;
}

static bool same(const fixed_part *fixed, const uint8_t *nonce)
{
    uint16_t now[NONCE_FIXED_WORDS];
    __builtin_memcpy(now, __builtin_assume_aligned(nonce, sizeof(uint16_t)), NONCE_FIXED_LEN);
    return fixed->known && fixed->word[0] == now[0] && fixed->word[1] == now[1] &&
           fixed->word[2] == now[2] && fixed->word[3] == now[3];
}

/* Writes what changes from frame to frame, and all of it only when the rest has changed too. The last
 * octets are still on the wire when it returns: end_write waits for them. Inline, because the time
 * until the frame can be sent, or is decrypted, lengthens the slot. */
static inline __attribute__((always_inline)) void write_nonce(uint16_t address, fixed_part *fixed,
                                                              const uint8_t *nonce, bool is_same)
{
    cc2420_pin_select();
    if (is_same) {
        spi_write1(CC2420_RAM_FIRST(address + NONCE_COUNTER_LEN));
        spi_write1(CC2420_RAM_SECOND(address));
        spi_write_reversed(nonce + NONCE_FIXED_LEN, NONCE_LEN - NONCE_FIXED_LEN);
    } else {
        __builtin_memcpy(fixed->word, nonce, NONCE_FIXED_LEN);
        fixed->known = true;
        spi_write1(CC2420_RAM_FIRST(address));
        spi_write1(CC2420_RAM_SECOND(address));
        spi_write1(1); /* block counter 0001, low octet first */
        spi_write1(0);
        spi_write_reversed(nonce, NONCE_LEN);
        spi_write1(NONCE_FLAGS);
    }
}

static void end_write(void)
{
    spi_end();
    cc2420_pin_release();
}

/* So many octets of a frame with `len` octets and no MIC are looked at. */
static uint8_t encrypted_len(const cc2420_inline *op, uint8_t len)
{
    uint8_t encrypted = len - op->clear_len;
    return encrypted < EVIDENCE_MAX ? encrypted : EVIDENCE_MAX;
}

static bool changed(const evidence *known, const uint8_t *now)
{
    const uint8_t *before = known->before;
    uint8_t difference = 0;
    if (known->len == EVIDENCE_MAX) { /* nearly always: without a loop */
        difference = (uint8_t)((before[0] ^ now[0]) | (before[1] ^ now[1]) | (before[2] ^ now[2]) |
                               (before[3] ^ now[3]));
    } else {
        for (uint8_t left = known->len; left != 0; left--) {
            difference |= *before++ ^ *now++;
        }
    }
    return difference != 0;
}

void cc2420_load_secured(const cc2420_inline *op, uint8_t psdu_len, const uint8_t *frame,
                         uint8_t len)
{
    uint16_t keys = secctrl0 & (CC2420_SEC_SAKEYSEL | CC2420_SEC_RXKEYSEL);
    cc2420_pin_select();
    set_secctrl0(keys | (op->key == 0 ? 0 : CC2420_SEC_TXKEYSEL) | mode_of(op));
    set_secctrl1((secctrl1 & SECCTRL1_RXL_MASK) | (uint16_t)op->clear_len << SECCTRL1_TXL_SHIFT);
    spi_write1(CC2420_SFLUSHTX);
    spi_write1(CC2420_TXFIFO);
    spi_write1(psdu_len);
    spi_write(frame, len);
    for (uint8_t n = op->mic_len; n != 0; n--) { /* the engine replaces octets that are there */
        spi_write1(0);
    }
    bool is_same = same(&tx_fixed, op->nonce); /* while the last octets are on the wire */
    end_write();
    write_nonce(CC2420_RAM_TXNONCE, &tx_fixed, op->nonce, is_same);
    if (op->mic_len != 0) { /* and here */
        tx_evidence.from = len;
        tx_evidence.len = EVIDENCE_MAX;
        __builtin_memset(tx_evidence.before, 0, EVIDENCE_MAX);
    } else {
        tx_evidence.from = op->clear_len;
        tx_evidence.len = encrypted_len(op, len);
        __builtin_memcpy(tx_evidence.before, frame + op->clear_len, tx_evidence.len);
    }
    end_write();
}

void cc2420_load_begin(const cc2420_inline *op, uint8_t psdu_len, const uint8_t *frame, uint8_t len)
{
    uint16_t keys = secctrl0 & (CC2420_SEC_SAKEYSEL | CC2420_SEC_RXKEYSEL);
    cc2420_pin_select();
    set_secctrl0(keys | (op->key == 0 ? 0 : CC2420_SEC_TXKEYSEL) | mode_of(op));
    set_secctrl1((secctrl1 & SECCTRL1_RXL_MASK) | (uint16_t)op->clear_len << SECCTRL1_TXL_SHIFT);
    spi_write1(CC2420_SFLUSHTX);
    spi_write1(CC2420_TXFIFO);
    spi_write1(psdu_len);
    spi_write(frame, len);
    end_write();
    write_nonce(CC2420_RAM_TXNONCE, &tx_fixed, op->nonce, same(&tx_fixed, op->nonce));
    end_write();
}

void cc2420_load_end(const cc2420_inline *op, const uint8_t *frame, uint8_t len, uint8_t have)
{
    uint8_t from = op->mic_len != 0 ? len : op->clear_len;
    cc2420_pin_select();
    spi_write1(CC2420_TXFIFO);
    if (len != have) {
        spi_write(frame + have, len - have);
    }
    for (uint8_t n = op->mic_len; n != 0; n--) { /* the engine replaces octets that are there */
        spi_write1(0);
    }
    tx_evidence.from = from; /* while the last octets are on the wire */
    if (op->mic_len != 0) {
        tx_evidence.len = EVIDENCE_MAX;
        __builtin_memset(tx_evidence.before, 0, EVIDENCE_MAX);
    } else {
        tx_evidence.len = encrypted_len(op, len);
        __builtin_memcpy(tx_evidence.before, frame + from, tx_evidence.len);
    }
    end_write();
}

bool cc2420_security_sent(void)
{
    uint16_t begin = tick_now();
    bool busy;
    if (tx_evidence.len == 0) {
        return true;
    }
    cc2420_pin_select();
    do {
        busy = (spi_exchange(CC2420_SNOP) & CC2420_ENC_BUSY) != 0;
    } while (busy && (uint16_t)(tick_now() - begin) < SEND_TICKS);
    cc2420_pin_release();
    uint8_t now[EVIDENCE_MAX];
    cc2420_pin_select();
    spi_read_after2(CC2420_RAM_FIRST(CC2420_RAM_TXFIFO + 1 + tx_evidence.from),
                    CC2420_RAM_SECOND(CC2420_RAM_TXFIFO) | CC2420_RAM_READ, now, tx_evidence.len);
    cc2420_pin_release();
    if (busy || !changed(&tx_evidence, now)) {
        reset_engine();
        return false;
    }
    return true;
}

/* Reads octet `from` of a part of the radio's memory. What the caller does between the two calls costs
 * no time: the octets are on the wire. */
static inline __attribute__((always_inline)) void begin_octet(uint16_t part, uint8_t from)
{
    cc2420_pin_select();
    spi_write1(CC2420_RAM_FIRST(part + from));
    spi_write1(CC2420_RAM_SECOND(part) | CC2420_RAM_READ);
    spi_write1(0);
}

static inline __attribute__((always_inline)) uint8_t end_octet(void)
{
    uint8_t octet = spi_last();
    cc2420_pin_release();
    return octet;
}

static __attribute__((noinline)) void mark(void)
{
    cc2420_pin_select();
    spi_write1(CC2420_RAM_FIRST(CC2420_RAM_CBCSTATE));
    spi_write1(CC2420_RAM_SECOND(CC2420_RAM_CBCSTATE));
    spi_write1(CBC_MARK);
    end_write();
    rx_marked = true;
}

void cc2420_security_sends(void)
{
    rx_marked = false;
}

void cc2420_security_listens(void)
{
    if (rx_used) {
        mark();
    }
}

/* Whether the first encrypted octets tell if the engine has worked: without a MIC, and with one where
 * so many octets were peeked. Else the last octet of the MIC does. */
static bool encrypted_tell(const cc2420_inline *op, uint8_t have, uint8_t len)
{
    uint8_t end = op->clear_len + EVIDENCE_MAX;
    return op->mic_len == 0 || (end <= have && end + op->mic_len <= len);
}

bool cc2420_decrypt(const cc2420_inline *op, uint8_t *frame, uint8_t have, uint8_t len)
{
    uint8_t known = 0;
    bool is_same;
    if (encrypted_tell(op, have, len)) {
        known = encrypted_len(op, len - op->mic_len);
        if (op->clear_len + known > have) {
            cc2420_peek_from(op->clear_len, frame + op->clear_len, known);
        }
        is_same = same(&rx_fixed, op->nonce);
        rx_last = CC2420_MIC_WRONG; /* the octets tell, or there is nothing to tell of */
    } else {
        begin_octet(CC2420_RAM_RXFIFO, len);
        is_same = same(&rx_fixed, op->nonce);
        rx_last = end_octet();
        if (!rx_marked) { /* the first frame */
            mark();
        }
    }
    write_nonce(CC2420_RAM_RXNONCE, &rx_fixed, op->nonce, is_same);
    uint16_t keys = secctrl0 & (CC2420_SEC_SAKEYSEL | CC2420_SEC_TXKEYSEL);
    uint16_t control0 = keys | (op->key == 0 ? 0 : CC2420_SEC_RXKEYSEL) | mode_of(op);
    uint16_t control1 = (secctrl1 & (uint16_t)~SECCTRL1_RXL_MASK) | op->clear_len;
    end_write();
    cc2420_pin_select();
    set_secctrl0(control0);
    set_secctrl1(control1);
    spi_write1(CC2420_SRXDEC);
    rx_evidence.len = known; /* while the engine works */
    rx_evidence.from = op->clear_len;
    __builtin_memcpy(rx_evidence.before, frame + op->clear_len, EVIDENCE_MAX);
    spi_end();
    rx_used = true;
    rx_marked = false;
    uint8_t patience = DECRYPT_POLLS;
    while ((spi_exchange(CC2420_SNOP) & CC2420_ENC_BUSY) != 0 && --patience != 0) {
    }
    if (known == 0 && op->mic_len != 0) { /* whatever rx_last is: a slot has room for either */
        spi_write1(CC2420_RAM_FIRST(CC2420_RAM_CBCSTATE));
        spi_write1(CC2420_RAM_SECOND(CC2420_RAM_CBCSTATE) | CC2420_RAM_READ);
        spi_write1(0);
        cbc_after = spi_last();
    }
    cc2420_pin_release();
    if (patience == 0) {
        reset_engine();
    }
    return patience != 0;
}

/* Whether the engine has changed what it had to, if this is its verdict. Inline, because a constant
 * costs an accepted frame no cycles. */
static inline __attribute__((always_inline)) bool has_worked(const uint8_t *frame, uint8_t verdict)
{
    if (rx_evidence.len != 0) {
        return changed(&rx_evidence, frame + rx_evidence.from);
    }
    return rx_last != verdict || cbc_after != CBC_MARK;
}

static __attribute__((noinline)) wm_status refuse(const uint8_t *frame, uint8_t verdict)
{
    if (verdict == CC2420_MIC_WRONG && has_worked(frame, CC2420_MIC_WRONG)) {
        return WM_ERR_SECURITY;
    }
    reset_engine();
    return WM_ERR_ENGINE;
}

wm_status cc2420_decrypted(const cc2420_inline *op, const uint8_t *frame, uint8_t len)
{
    uint8_t verdict = op->mic_len == 0 ? CC2420_MIC_RIGHT : frame[len - 1];
    if (verdict == CC2420_MIC_RIGHT && has_worked(frame, CC2420_MIC_RIGHT)) {
        return WM_OK;
    }
    return refuse(frame, verdict);
}

/* A frame that still arrives. The data sheet (§21.2) lets octets before the encrypted ones be read
 * first, and the engine waits for octets to come. FIFO and FIFOP are low until it is done, so what is
 * behind the header is peeked then. The last octet of the MIC is not there when the engine begins, so
 * its change tells nothing. Four octets of the CBC-MAC in the radio's memory get a mark: one of them at
 * least is another afterwards. */
#define LONG_MARK_LEN 4u

void cc2420_decrypt_mark(void)
{
    cc2420_pin_select();
    spi_write1(CC2420_RAM_FIRST(CC2420_RAM_CBCSTATE));
    spi_write1(CC2420_RAM_SECOND(CC2420_RAM_CBCSTATE));
    for (uint8_t n = LONG_MARK_LEN; n != 0; n--) {
        spi_write1(CBC_MARK);
    }
    end_write();
}

void cc2420_decrypt_begin(const cc2420_inline *op)
{
    bool is_same = same(&rx_fixed, op->nonce);
    write_nonce(CC2420_RAM_RXNONCE, &rx_fixed, op->nonce, is_same);
    end_write();
    uint16_t keys = secctrl0 & (CC2420_SEC_SAKEYSEL | CC2420_SEC_TXKEYSEL);
    cc2420_pin_select();
    set_secctrl0(keys | (op->key == 0 ? 0 : CC2420_SEC_RXKEYSEL) | mode_of(op));
    set_secctrl1((secctrl1 & (uint16_t)~SECCTRL1_RXL_MASK) | op->clear_len);
    spi_write1(CC2420_SRXDEC);
    end_write();
    rx_marked = false;
}

wm_status cc2420_decrypt_end(uint8_t *frame, uint8_t len)
{
    uint8_t cbc[LONG_MARK_LEN];
    uint8_t patience = DECRYPT_POLLS;
    cc2420_pin_select();
    while ((spi_exchange(CC2420_SNOP) & CC2420_ENC_BUSY) != 0 && --patience != 0) {
    }
    spi_read_after2(CC2420_RAM_FIRST(CC2420_RAM_CBCSTATE),
                    CC2420_RAM_SECOND(CC2420_RAM_CBCSTATE) | CC2420_RAM_READ, cbc, sizeof cbc);
    cc2420_pin_release();
    cc2420_peek_from((uint8_t)(len - 1), frame + len - 1, 1 + CC2420_FCS_LEN);
    bool worked = patience != 0 && ((cbc[0] ^ CBC_MARK) | (cbc[1] ^ CBC_MARK) |
                                    (cbc[2] ^ CBC_MARK) | (cbc[3] ^ CBC_MARK)) != 0;
    if (worked && frame[len - 1] == CC2420_MIC_RIGHT) {
        return WM_OK;
    }
    if (worked && frame[len - 1] == CC2420_MIC_WRONG) {
        return WM_ERR_SECURITY;
    }
    reset_engine();
    return WM_ERR_ENGINE;
}

void cc2420_decrypt_stop(void)
{
    reset_engine();
}

void cc2420_wipe_rx(void)
{
    cc2420_flush_rx();
    cc2420_pin_select();
    spi_write1(CC2420_RAM_FIRST(CC2420_RAM_RXFIFO));
    spi_write1(CC2420_RAM_SECOND(CC2420_RAM_RXFIFO));
    for (uint8_t n = 0; n < CC2420_FIFO_SIZE; n++) {
        spi_write1(0);
    }
    spi_end();
    cc2420_pin_release();
}
