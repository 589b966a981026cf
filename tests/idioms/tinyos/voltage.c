/* SPDX-License-Identifier: BSD-3-Clause */
/* ADC12: half of the supply and the chip's temperature by the reference of 2.5 V, one after the other
 * for one request. */
#include "hal.h"

uint16_t voltage_supply, voltage_temperature;
static action *done;

void sig_adc12(void)
{
    if (ADC12IV != 8) { /* ADC12IFG1, the last of the sequence */
        _unexpected_();
    }
    voltage_supply = ADC12MEM0;
    voltage_temperature = ADC12MEM1;
    ADC12CTL0 &= ~ENC;
    ADC12CTL0 = 0;
    task_is(TASK_STEP, done);
    task_post(TASK_STEP);
}

static void convert(void)
{
    ADC12CTL0 |= ENC | ADC12SC;
}

void voltage(action *then)
{
    done = then;
    ADC12CTL0 = SHT0_8 | MSC | REF2_5V | REFON | ADC12ON;
    ADC12CTL1 = SHP | CONSEQ_1;
    ADC12MCTL0 = SREF_1 | INCH_11;
    ADC12MCTL1 = SREF_1 | INCH_10 | EOS;
    ADC12IE = BIT1;
    timer_once(TIMER_STEP, 18, convert); /* the reference settles in 17 ms */
}
