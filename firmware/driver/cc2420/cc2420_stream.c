/* SPDX-License-Identifier: BSD-3-Clause */
/* FIFOs while their frame is on the air.
 * References: SWRS041B §14 (RXFIFO: pin FIFO is high while there is an octet to be read, also while a
 * frame arrives; FIFOP is high while there are more octets than the threshold of IOCFG0, or a whole
 * frame; TXFIFO may be written while its frame is sent), §13 (status octet, TX_UNDERFLOW). */
#include "cc2420_stream.h"
#include "cc2420_access.h"
#include "cc2420_pins.h"
#include "cc2420_registers.h"
#include "spi.h"

/* Octets that FIFOP tells of. */
static uint8_t told;

static void tell_of(uint8_t len)
{
    if (len != told) {
        told = len;
        cc2420_pin_select();
        cc2420_put_register(CC2420_IOCFG0, len - 1u);
        spi_end();
        cc2420_pin_release();
    }
}

uint8_t cc2420_arrived(uint8_t *to, uint8_t len)
{
    tell_of(len);
    if (!cc2420_pin_fifop()) {
        return 0;
    }
    cc2420_pin_select();
    spi_read_after1(CC2420_RXFIFO | CC2420_READ, to, len);
    cc2420_pin_release();
    return len;
}

uint8_t cc2420_trickled(uint8_t *to, uint8_t most)
{
    uint8_t *at = to;
    if (!cc2420_pin_fifo()) {
        return 0;
    }
    cc2420_pin_select();
    (void)spi_exchange(CC2420_RXFIFO | CC2420_READ);
    do {
        *at++ = spi_exchange(0);
    } while (--most != 0 && cc2420_pin_fifo());
    cc2420_pin_release();
    return (uint8_t)(at - to);
}

bool cc2420_load_more(const uint8_t *from, uint8_t len)
{
    cc2420_pin_select();
    (void)spi_exchange(CC2420_TXFIFO);
    spi_write(from, len);
    spi_end();
    cc2420_pin_release();
    cc2420_pin_select();
    uint8_t status = spi_exchange(CC2420_SNOP);
    cc2420_pin_release();
    return (status & CC2420_TX_UNDERFLOW) == 0;
}
