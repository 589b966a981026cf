# SPDX-License-Identifier: BSD-3-Clause
"""What TinySec costs on motes and in networks of them.

`verbs` holds a module, or a folder, for each sub-verb: `verbs/NAME.py` with an `EXPERIMENT` is
`wardmote tinysec NAME`, and no list names it. A sub-verb keeps what it measures beside `verbs`, in a
module that imports no view: kept figures stay valid then while only their table changes.
"""

GROUP = "What does TinySec cost a mote and a network of motes?"
