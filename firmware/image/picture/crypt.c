/* SPDX-License-Identifier: BSD-3-Clause */
#include "crypt.h"
#include "led.h"
#include "picture_block.h"

/* Stands for a slower cipher: 8 cycles a loop, whatever the compiler does around it. */
static void wait(uint16_t loops)
{
    if (loops != 0) {
        __asm__ volatile("1: rjmp .+0\n\t"
                         "rjmp .+0\n\t"
                         "sbiw %0, 1\n\t"
                         "brne 1b"
                         : "+w"(loops));
    }
}

static wm_status each_alone(uint8_t *data, uint8_t len)
{
    wm_status status = WM_OK;
    for (; len != 0 && status == WM_OK; len = (uint8_t)(len - PICTURE_BLOCK)) {
        uint8_t nothing[PICTURE_BLOCK] = {0};
        status = crypt_blocks(nothing, data, PICTURE_BLOCK);
        data += PICTURE_BLOCK;
    }
    return status;
}

wm_status crypt_data(uint8_t chain[16], uint8_t *data, uint8_t len)
{
    led_on(PICTURE_LED_CRYPT);
    wm_status status =
        picture_setup_block.chained != 0 ? crypt_blocks(chain, data, len) : each_alone(data, len);
    for (uint8_t done = 0; done < len; done = (uint8_t)(done + PICTURE_BLOCK)) {
        wait(picture_setup_block.slower);
    }
    led_off(PICTURE_LED_CRYPT);
    return status;
}
