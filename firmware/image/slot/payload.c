/* SPDX-License-Identifier: BSD-3-Clause */
/* The application: a message whose number is new each time. */
#include <stddef.h>
#include <wardmote/link_security.h>
#include <wardmote/port/tsch_port.h>

/* Of a full frame; the number comes first. */
static union {
    uint16_t number;
    uint8_t octet[WM_PSDU_MAX];
} message;

void wm_port_payload(uint8_t *to, wm_psdu_len len)
{
    message.number++;
    __builtin_memcpy(to, message.octet, len);
}
