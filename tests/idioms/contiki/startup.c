/* SPDX-License-Identifier: BSD-3-Clause */
/* Vectors as an array, the lock page as a structure; .data is copied here, and newlib's own start
 * file does the rest: .bss, constructors, main. */
#include "platform.h"

extern uint32_t _data[], _edata[], _ldata[], __stack[];
void _start(void);
void reset_handler(void);

void default_handler(void);
void default_handler(void)
{
    for (;;) {
    }
}

void reset_handler(void)
{
    const uint32_t *from = _ldata;
    for (uint32_t *to = _data; to < _edata; to++) {
        *to = *from++;
    }
    _start();
    default_handler();
}

#define HANDLER(name) void name(void) __attribute__((weak, alias("default_handler")))
HANDLER(systick_handler);
HANDLER(uart0_isr);
HANDLER(gpt0a_isr);
HANDLER(udma_isr);
HANDLER(rf_isr);
HANDLER(rf_error_isr);
HANDLER(rtimer_isr);

typedef void handler(void);

__attribute__((section(".vectors"), used)) handler *const vectors[16 + 147] = {
    (handler *)__stack,
    reset_handler,
    [2 ... 14] = default_handler,
    [15] = systick_handler,
    [16 ... 20] = default_handler,
    [21] = uart0_isr,
    [22 ... 34] = default_handler,
    [35] = gpt0a_isr,
    [36 ... 61] = default_handler,
    [62] = udma_isr,
    [63 ... 156] = default_handler,
    [157] = rf_isr,
    [158] = rf_error_isr,
    [159 ... 160] = default_handler,
    [161] = rtimer_isr,
    [162] = default_handler,
};

typedef struct lock_page {
    uint32_t backdoor;
    uint32_t image_valid;
    const void *vectors;
    uint8_t lock[32];
} lock_page;

__attribute__((section(".flashcca"), used)) const lock_page cca = {
    0xEFFFFFFF,
    0,
    vectors,
    {[0 ... 31] = 0xFF},
};
