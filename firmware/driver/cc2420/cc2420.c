/* SPDX-License-Identifier: BSD-3-Clause */
/* Power, tuning and frames.
 * References: SWRS041B §13 (SPI access), §14 (FIFOs), §17 (registers). Strobes and register
 * accesses may follow each other while CSn is low; a FIFO or memory access ends with CSn high. */
#include "cc2420.h"
#include "cc2420_access.h"
#include "cc2420_pins.h"
#include "cc2420_registers.h"
#include "cc2420_security.h"
#include "spi.h"
#include "tick.h"

/* In ticks of 30.5 us, rounded up: regulator 0.6 ms, oscillator 0.86 ms typical, which gets ten
 * times that. */
#define VREG_TICKS 21u
#define RESET_TICKS 2u
#define XOSC_TICKS 282u

static void wait(uint16_t ticks)
{
    uint16_t start = tick_now();
    while ((uint16_t)(tick_now() - start) <= ticks) {
    }
}

static uint8_t strobe(uint8_t command)
{
    cc2420_pin_select();
    uint8_t status = spi_exchange(command);
    cc2420_pin_release();
    return status;
}

static uint16_t read_register(uint8_t address)
{
    uint8_t value[2];
    cc2420_pin_select();
    spi_read_after1(address | CC2420_READ, value, sizeof value);
    cc2420_pin_release();
    return (uint16_t)((uint16_t)value[0] << 8 | value[1]);
}

static void write_register(uint8_t address, uint16_t value)
{
    cc2420_pin_select();
    cc2420_put_register(address, value);
    spi_end();
    cc2420_pin_release();
}

static bool oscillator_stable(void)
{
    uint16_t start = tick_now();
    while ((strobe(CC2420_SNOP) & CC2420_XOSC16M_STABLE) == 0) {
        if ((uint16_t)(tick_now() - start) > XOSC_TICKS) {
            return false;
        }
    }
    return true;
}

bool cc2420_start(void)
{
    cc2420_pin_release();
    cc2420_pin_power();
    wait(VREG_TICKS);
    cc2420_pin_reset();
    wait(RESET_TICKS);
    cc2420_pin_run();
    wait(RESET_TICKS);
    if (read_register(CC2420_MANFIDL) != CC2420_MANFIDL_CHIPCON) {
        return false;
    }
    strobe(CC2420_SXOSCON);
    if (!oscillator_stable()) {
        return false;
    }
    write_register(CC2420_MDMCTRL0, CC2420_MDMCTRL0_PLAIN);
    write_register(CC2420_RXCTRL1, CC2420_RXCTRL1_RECOMMENDED);
    write_register(CC2420_IOCFG0, CC2420_IOCFG0_FIFOP_LATE);
    cc2420_security_start();
    cc2420_tune(CC2420_CHANNEL_FIRST);
    return true;
}

/* Registers, FIFOs and RAM, with its keys, keep what they hold (data sheet, memory access and power
 * management). */
void cc2420_power_down(void)
{
    strobe(CC2420_SXOSCOFF);
}

void cc2420_power_up(void)
{
    strobe(CC2420_SXOSCON);
}

bool cc2420_powered(void)
{
    return oscillator_stable();
}

void cc2420_turn_quickly(void)
{
    write_register(CC2420_TXCTRL, CC2420_TXCTRL_SHORT);
}

/* Data sheet §14: at least one octet is to be read from RXFIFO before SFLUSHRX, and the strobe is
 * to be given twice. */
void cc2420_flush_rx(void)
{
    (void)cc2420_read_octet();
    cc2420_pin_select();
    spi_write1(CC2420_SFLUSHRX);
    spi_write1(CC2420_SFLUSHRX);
    spi_end();
    cc2420_pin_release();
}

/* A frame is loaded in part, for after the next cc2420_tune. */
static bool tx_begun;

void cc2420_load_keep(bool begun)
{
    tx_begun = begun;
}

void cc2420_tune(uint8_t channel)
{
    uint16_t above = (uint16_t)(channel - CC2420_CHANNEL_FIRST);
    uint16_t fsctrl = CC2420_FSCTRL_11 + (above << 2) + above; /* 5 MHz apart */
    cc2420_pin_select();
    spi_write1(CC2420_SRFOFF);
    spi_write1(CC2420_FSCTRL);
    spi_write1((uint8_t)(fsctrl >> 8));
    spi_write1((uint8_t)fsctrl);
    if (!tx_begun) {
        spi_write1(CC2420_SFLUSHTX);
    }
    tx_begun = false;
    spi_end();
    cc2420_pin_release();
}

/* PANID and SHORTADR lie one behind the other, least significant octets first (data sheet, memory
 * map). */
void cc2420_recognise(uint16_t pan, uint16_t address, bool acknowledge)
{
    cc2420_pin_select();
    spi_write1(CC2420_RAM_FIRST(CC2420_RAM_PANID));
    spi_write1(CC2420_RAM_SECOND(CC2420_RAM_PANID));
    spi_write1((uint8_t)pan);
    spi_write1((uint8_t)(pan >> 8));
    spi_write1((uint8_t)address);
    spi_write1((uint8_t)(address >> 8));
    spi_end();
    cc2420_pin_release();
    write_register(CC2420_MDMCTRL0, CC2420_MDMCTRL0_PLAIN | CC2420_MDMCTRL0_ADR_DECODE |
                                        (acknowledge ? CC2420_MDMCTRL0_AUTOACK : 0));
}

void cc2420_listen(void)
{
    cc2420_flush_rx();
    strobe(CC2420_SRXON);
    cc2420_security_listens();
}

void cc2420_send(void)
{
    strobe(CC2420_STXON);
    cc2420_security_sends();
    /* there is time for it before the preamble; the receiver is on after the frame */
    cc2420_flush_rx();
}

/* STXONCCA does nothing while the channel is in use: TX_ACTIVE tells. */
bool cc2420_send_clear(void)
{
    bool begun = false;
    cc2420_pin_select();
    if ((spi_exchange(CC2420_SNOP) & CC2420_TX_ACTIVE) == 0) {
        (void)spi_exchange(CC2420_STXONCCA);
        begun = (spi_exchange(CC2420_SNOP) & CC2420_TX_ACTIVE) != 0;
        cc2420_security_sends();
    }
    cc2420_pin_release();
    return begun;
}

bool cc2420_sent(void)
{
    if (!cc2420_security_sent()) {
        strobe(CC2420_SRFOFF);
        return false;
    }
    return true;
}

void cc2420_idle(void)
{
    strobe(CC2420_SRFOFF);
}

void cc2420_load(uint8_t psdu_len, const uint8_t *head, uint8_t head_len, const uint8_t *tail,
                 uint8_t tail_len)
{
    cc2420_pin_select();
    cc2420_security_off();
    spi_write1(CC2420_SFLUSHTX);
    spi_write1(CC2420_TXFIFO);
    spi_write1(psdu_len);
    spi_write(head, head_len);
    if (tail_len != 0) {
        spi_write(tail, tail_len);
    }
    spi_end();
    cc2420_pin_release();
}

uint8_t cc2420_read_octet(void)
{
    uint8_t octet;
    cc2420_read(&octet, 1);
    return octet;
}

void cc2420_read(uint8_t *to, uint8_t len)
{
    cc2420_pin_select();
    spi_read_after1(CC2420_RXFIFO | CC2420_READ, to, len);
    cc2420_pin_release();
}

uint8_t cc2420_peek(uint8_t *to, uint8_t len)
{
    cc2420_pin_select();
    uint8_t length =
        spi_take_after2(CC2420_RAM_FIRST(CC2420_RAM_RXFIFO),
                        CC2420_RAM_SECOND(CC2420_RAM_RXFIFO) | CC2420_RAM_READ, to, len);
    cc2420_pin_release();
    return length;
}

void cc2420_peek_from(uint8_t from, uint8_t *to, uint8_t len)
{
    uint16_t address = CC2420_RAM_RXFIFO + 1 + from;
    cc2420_pin_select();
    spi_read_after2(CC2420_RAM_FIRST(address),
                    CC2420_RAM_SECOND(CC2420_RAM_RXFIFO) | CC2420_RAM_READ, to, len);
    cc2420_pin_release();
}
