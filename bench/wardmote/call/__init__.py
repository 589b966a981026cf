# SPDX-License-Identifier: BSD-3-Clause
"""Calling the stack's C functions on any target through one interface: `host` (a shared library), or
the name of an emulated CPU (wardmote.cpus), with the code that firmware links.

    target = open_target("msp430", "aes128")
    block = bytearray(16)
    outcome = target.call("wm_aes128_tab_encrypt", expanded_key, block)
    print(outcome.cycles, block.hex())

Every buffer that is passed has guard octets around it; a function that writes one octet too many
raises GuardError.
"""

from wardmote.call.arena import GUARD_OCTETS, Arena
from wardmote.call.emulated import EmulatedTarget, Timing
from wardmote.call.errors import CallError, GuardError, StepError
from wardmote.call.host.library import HostTarget
from wardmote.call.host.machine import Host, Host32, Machine, Timed
from wardmote.call.outcome import Outcome, Trace, TraceMode
from wardmote.call.stack import TARGETS, open_target
from wardmote.call.target import Argument, Buffer, Target

__all__ = [
    "GUARD_OCTETS",
    "TARGETS",
    "Arena",
    "Argument",
    "Buffer",
    "CallError",
    "EmulatedTarget",
    "GuardError",
    "Host",
    "Host32",
    "HostTarget",
    "Machine",
    "Outcome",
    "StepError",
    "Target",
    "Timed",
    "Timing",
    "Trace",
    "TraceMode",
    "open_target",
]
