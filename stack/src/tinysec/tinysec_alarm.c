/* SPDX-License-Identifier: BSD-3-Clause */
/* TinySec's alarm: too many wrong tags (the paper, section 6.1). */
#include <wardmote/octets.h>
#include <wardmote/tinysec.h>

bool wm_tinysec_alarm(wm_tinysec *node, uint16_t most, wm_tinysec_message *message)
{
    const uint16_t refused = node->refused;
    node->refused = 0;
    if (refused <= most) {
        return false;
    }
    wm_store_le16(message->data, node->address);
    wm_store_le16(message->data + 2, refused);
    message->len = 4;
    return true;
}
