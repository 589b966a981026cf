/* SPDX-License-Identifier: BSD-3-Clause */
/* What the loops of the start-up call once a turn. */
    .text
    .global clear_watchdog
clear_watchdog:
    mov     &__wdt_clear_value, &__WDTCTL
    ret
