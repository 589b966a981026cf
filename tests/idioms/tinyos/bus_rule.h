/* SPDX-License-Identifier: BSD-3-Clause */
/** @file bus_rule.h
 *  Whether the arbiter gives the bus to who waits: one rule, and one without it. */
#ifndef IDIOMS_TINYOS_BUS_RULE_H
#define IDIOMS_TINYOS_BUS_RULE_H

#include <stdbool.h>

bool bus_may_give(bool nobody_has_it);

#endif
