# SPDX-License-Identifier: BSD-3-Clause
"""A border router: IPv6 packets between 6LoWPAN over IEEE 802.15.4 and an interface of a host.

Compression, expansion and fragments are the stack's own, by bench/native. `router` decides about
packets, `ethernet` is the host's link, `mac` the frames; `air` and `wire` are what they come from
and go to.
"""
