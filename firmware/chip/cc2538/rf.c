/* SPDX-License-Identifier: BSD-3-Clause */
/* Radio driver.
 * References: SWRU319, radio: recommended register settings, command strobes, interrupts.
 * rf_edges.c handles its interrupts; an image may link its own handlers instead. */
#include "rf.h"
#include "cpu.h"

#define CHANNEL_STEP 5 /* MHz */

/* Register values that differ from those after reset; the user's guide recommends the first
 * four. */
#define TXFILTCFG_VALUE 0x09u
#define AGCCTRL1_VALUE 0x15u
#define FSCAL1_VALUE 0x01u
#define IVCTRL_VALUE 0x0Bu
#define FRMFILT0_OFF 0x0Cu     /* every frame passes, of any version */
#define FRMFILT0_ON 0x0Du      /* frames of any version, but for this node alone */
#define FRMCTRL0_AUTOACK 0x20u /* with FRMCTRL0_AUTOCRC */
#define FRMCTRL0_AUTOCRC 0x40u /* FCS made and checked, no automatic acknowledgement */
#define FIFOPCTRL_LATE 0x7Fu
#define CCACTRL0_81_DBM 0xF8u /* recommended: -8, and the RSSI's offset of -73 */
#define TXPOWER_0_DBM 0xB6u

/* Do not strobe the radio off while it is off: the strobe processor would report an error. */
static bool is_on;

bool rf_loaded;

/* Kept for rf_wake. */
static uint8_t channel = RF_CHANNEL_FIRST;

static void set_channel(void)
{
    FREQCTRL = RF_CHANNEL_FIRST + (uint32_t)(channel - RF_CHANNEL_FIRST) * CHANNEL_STEP;
}

static void configure(void)
{
    TXFILTCFG = TXFILTCFG_VALUE;
    AGCCTRL1 = AGCCTRL1_VALUE;
    FSCAL1 = FSCAL1_VALUE;
    IVCTRL = IVCTRL_VALUE;
    FRMFILT0 = FRMFILT0_OFF;
    FRMCTRL0 = FRMCTRL0_AUTOCRC;
    SRCMATCH = 0;
    FIFOPCTRL = FIFOPCTRL_LATE;
    TXPOWER = TXPOWER_0_DBM;
    set_channel();
}

bool rf_start(void)
{
    RCGCRFC = CGC_RF;
    SCGCRFC = CGC_RF;
    while (RCGCRFC != CGC_RF) { /* the radio's registers come with its clock */
    }
    configure();
    is_on = false;
    rf_edges(false);
    NVIC_ISER(IRQ_RF) = NVIC_BIT(IRQ_RF);
    return TXPOWER == TXPOWER_0_DBM;
}

bool rf_may_power_down(void)
{
    return !is_on && !rf_loaded;
}

/* Edges are off, and stay so. */
void rf_wake(void)
{
    configure();
}

void rf_idle(void)
{
    if (is_on) {
        RFST = RFST_ISRFOFF;
        is_on = false;
    }
}

void rf_tune(uint8_t to)
{
    rf_idle();
    channel = to;
    set_channel();
    RFST = RFST_ISFLUSHTX;
    rf_loaded = false;
}

/* The strobe is to be given twice (SWRU319, RX FIFO). */
void rf_flush_rx(void)
{
    RFST = RFST_ISFLUSHRX;
    RFST = RFST_ISFLUSHRX;
}

void rf_listen(void)
{
    rf_flush_rx();
    RFST = RFST_ISRXON;
    is_on = true;
}

void rf_send(void)
{
    rf_flush_rx();
    RFST = RFST_ISTXON;
    is_on = true;
    rf_loaded = false;
}

void rf_recognise(uint16_t pan, uint16_t address, bool acknowledge)
{
    FFSM_PAN_ID0 = pan & 0xFFu;
    FFSM_PAN_ID1 = pan >> 8;
    FFSM_SHORT_ADDR0 = address & 0xFFu;
    FFSM_SHORT_ADDR1 = address >> 8;
    FRMFILT0 = FRMFILT0_ON;
    FRMCTRL0 = FRMCTRL0_AUTOCRC | (acknowledge ? FRMCTRL0_AUTOACK : 0);
}

void rf_sense_channel(void)
{
    CCACTRL0 = CCACTRL0_81_DBM;
}

bool rf_send_clear(void)
{
    if ((FSMSTAT1 & FSMSTAT1_TX_ACTIVE) != 0) {
        return false;
    }
    RFST = RFST_ISTXONCCA;
    return (FSMSTAT1 & FSMSTAT1_SAMPLED_CCA) != 0;
}

/* Four at once: loads that follow each other take a cycle each after the first. */
void rf_put(const uint8_t *from, uint8_t len)
{
    uint32_t left = len;
    for (; left >= 4; left -= 4, from += 4) {
        uint32_t a = from[0], b = from[1], c = from[2], d = from[3];
        RFDATA = a;
        RFDATA = b;
        RFDATA = c;
        RFDATA = d;
    }
    for (; left != 0; left--) {
        RFDATA = *from++;
    }
}

void rf_get(uint8_t *to, uint8_t len)
{
    uint32_t left = len;
    for (; left >= 4; left -= 4, to += 4) {
        uint32_t a = RFDATA, b = RFDATA, c = RFDATA, d = RFDATA;
        to[0] = (uint8_t)a;
        to[1] = (uint8_t)b;
        to[2] = (uint8_t)c;
        to[3] = (uint8_t)d;
    }
    for (; left != 0; left--) {
        *to++ = (uint8_t)RFDATA;
    }
}
