# SPDX-License-Identifier: BSD-3-Clause
"""What IPsec over 6LoWPAN costs in octets, cycles, memory, energy and time.

`verbs` holds a module for each sub-verb of `wardmote ipsec`. What it measures stands beside `verbs`,
in a module that imports no view.
"""

GROUP = "What does IPsec cost a node on 6LoWPAN?"
