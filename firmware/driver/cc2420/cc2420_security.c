/* SPDX-License-Identifier: BSD-3-Clause */
/* The security engine.
 * References: SWRS041B §21 (MAC security operations), table 6 (memory). SECCTRL0 and SECCTRL1
 * have copies here, so that a register is written only when its value changes. Nonce memory,
 * most significant octet first: flags | nonce 13 | block counter 2, which begins at 1. The flags
 * are not those of RFC 3610: bits 6:5 and 4:3 are bits 7:6 of the CTR and CBC-MAC flags, bits
 * 2:0 are L - 1; the engine makes both flag octets of them and SEC_M. So "a is not empty"
 * (CBC-MAC flag bit 6) is bit 3 here; a MAC header never is. */
#include "cc2420.h"
#include "cc2420_pins.h"
#include "cc2420_registers.h"
#include "cc2420_security.h"
#include "spi.h"

#define NONCE_FLAGS 0x09u /* a is not empty (CTR does not look at it) | L - 1 = 1 */
#define NONCE_LEN 13
#define NONCE_FIXED_WORDS 4 /* source address, or what stands for it: seldom changes */
#define NONCE_FIXED_LEN 8
#define NONCE_COUNTER_LEN 2
#define BLOCK_LEN 16

/* A poll takes 30 cycles and more: 0.9 ms at 8 MHz. A full frame takes the engine 0.25 ms (18
 * blocks). */
#define DECRYPT_POLLS 255

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

/* While CSn is low and only writes go on. */
static void write_register(uint8_t address, uint16_t value)
{
    spi_write1(address);
    spi_write1((uint8_t)(value >> 8));
    spi_write1((uint8_t)value);
}

static void set_secctrl0(uint16_t value)
{
    if (value != secctrl0) {
        secctrl0 = value;
        write_register(CC2420_SECCTRL0, value);
    }
}

static void set_secctrl1(uint16_t value)
{
    if (value != secctrl1) {
        secctrl1 = value;
        write_register(CC2420_SECCTRL1, value);
    }
}

void cc2420_security_start(void)
{
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

/* Stand-alone: data lies in SABUF in its own order. SNOPs follow SAES until the engine, 14 us, is
 * done; then the same selection goes on with the memory access. */
void cc2420_aes(uint8_t number, uint8_t block[16])
{
    cc2420_pin_select();
    set_secctrl0((secctrl0 & (uint16_t)~CC2420_SEC_SAKEYSEL) |
                 (number == 0 ? 0 : CC2420_SEC_SAKEYSEL));
    spi_write1(CC2420_RAM_FIRST(CC2420_RAM_SABUF));
    spi_write1(CC2420_RAM_SECOND(CC2420_RAM_SABUF));
    spi_write(block, BLOCK_LEN);
    spi_end();
    cc2420_pin_release();
    cc2420_pin_select();
    (void)spi_exchange(CC2420_SAES);
    while ((spi_exchange(CC2420_SNOP) & CC2420_ENC_BUSY) != 0) {
    }
    spi_read_after2(CC2420_RAM_FIRST(CC2420_RAM_SABUF),
                    CC2420_RAM_SECOND(CC2420_RAM_SABUF) | CC2420_RAM_READ, block, BLOCK_LEN);
    cc2420_pin_release();
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

static bool same(const fixed_part *fixed, const uint16_t *nonce)
{
    return fixed->known && fixed->word[0] == nonce[0] && fixed->word[1] == nonce[1] &&
           fixed->word[2] == nonce[2] && fixed->word[3] == nonce[3];
}

/* Writes what changes from frame to frame, and all of it only when the rest has changed too. */
static void write_nonce(uint16_t address, fixed_part *fixed, const cc2420_inline *op)
{
    const uint8_t *nonce = (const uint8_t *)op->nonce;
    cc2420_pin_select();
    if (same(fixed, op->nonce)) {
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
    spi_end();
    cc2420_pin_release();
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
    spi_end();
    cc2420_pin_release();
    write_nonce(CC2420_RAM_TXNONCE, &tx_fixed, op);
}

bool cc2420_decrypt(const cc2420_inline *op)
{
    uint16_t keys = secctrl0 & (CC2420_SEC_SAKEYSEL | CC2420_SEC_TXKEYSEL);
    write_nonce(CC2420_RAM_RXNONCE, &rx_fixed, op);
    cc2420_pin_select();
    set_secctrl0(keys | (op->key == 0 ? 0 : CC2420_SEC_RXKEYSEL) | mode_of(op));
    set_secctrl1((secctrl1 & (uint16_t)~SECCTRL1_RXL_MASK) | op->clear_len);
    spi_write1(CC2420_SRXDEC);
    spi_end();
    uint8_t patience = DECRYPT_POLLS;
    while ((spi_exchange(CC2420_SNOP) & CC2420_ENC_BUSY) != 0 && --patience != 0) {
    }
    cc2420_pin_release();
    return patience != 0;
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
