/* SPDX-License-Identifier: BSD-3-Clause */
#include "bus_rule.h"

bool bus_may_give(bool nobody_has_it)
{
    return nobody_has_it;
}
