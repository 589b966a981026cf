/* SPDX-License-Identifier: BSD-3-Clause */
/* The board's SHT21 on the I2C master, 100 kHz: a measurement is asked for, and read when the sensor
 * acknowledges its address again. */
#include "platform.h"

#define I2C(offset) REG(0x40020000 + (offset))
#define MSA I2C(0x00)
#define MCTRL I2C(0x04)
#define MDR I2C(0x08)
#define SHT21 0x40u

enum { RUN = 1, START = 2, STOP = 4, ACK = 8, BUSY = 1, ERROR = 2 };

static bool act(uint32_t command)
{
    MCTRL = command;
    while (MCTRL & BUSY) {
    }
    return (MCTRL & ERROR) == 0;
}

void sht21_start(void)
{
    REG(0x400D2038) |= 1; /* clock: running, asleep */
    REG(0x400D203C) |= 1;
    REG(0x400D402C) = 0x0C; /* PB3 is SCL, PB4 SDA, both ways */
    REG(0x400D4030) = 0x0B;
    REG(0x400D412C) = 12;
    REG(0x400D4130) = 11;
    REG(0x400DA420) |= 0x18;
    I2C(0x20) = 0x10;
    I2C(0x0C) = 16000000 / (20 * 100000) - 1;
    MSA = SHT21 << 1;
    MDR = 0xF3; /* temperature, without holding the clock */
    act(START | RUN | STOP);
}

bool sht21_read(uint8_t octets[3])
{
    MSA = SHT21 << 1 | 1;
    if (!act(START | RUN | ACK)) {
        act(STOP);
        return false;
    }
    octets[0] = (uint8_t)MDR;
    act(RUN | ACK);
    octets[1] = (uint8_t)MDR;
    act(RUN | STOP);
    octets[2] = (uint8_t)MDR;
    return true;
}
