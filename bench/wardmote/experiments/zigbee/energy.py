# SPDX-License-Identifier: BSD-3-Clause
"""The paper's Tables 2 and 3 beside ours: what a packet of 16 octets takes, by phase, with the
currents of the paper's board and with those of data sheets.

A phase's energy is supply, current and time. As in the paper, a mote sleeps when it does nothing of
this, and "receive" is the ack that the receiver sends.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from wardmote.boards import BOARDS, current_of
from wardmote.experiments.tinysec.sending import CPU
from wardmote.experiments.zigbee.exchange import RADIO
from wardmote.published import load

COPROCESSOR_CLOCKS = 12
"""hdl/rtl/aes128_fast.vhd: from the last octet in to the first one out, in both directions."""
FRAME_AIR_MS, ACK_AIR_MS, TURNAROUND_MS = 49 * 0.032, 11 * 0.032, 0.192
POWERS = {0: "0dbm", -1: "m1dbm", -3: "m3dbm", -5: "m5dbm", -7: "m7dbm", -10: "m10dbm"} | {
    -15: "m15dbm",
    -25: "m25dbm",
}
"""What a CC2420 can send with, in dBm, by the names of its states."""
PAPER, SHEETS = "the paper's board", "data sheets"
PRINTED, TIMES, COPROCESSOR = "the paper, printed", "the paper's AES", "coprocessor"


@dataclass(frozen=True, slots=True)
class Currents:
    """What a mote takes."""

    supply_v: float
    computing_ma: float
    sending_ma: float

    def computing_uj(self, ms: float) -> float:
        """Energy of so long."""
        return self.supply_v * self.computing_ma * ms

    def sending_uj(self, ms: float) -> float:
        """Energy of so long."""
        return self.supply_v * self.sending_ma * ms


def currents(board: str, source: str, dbm: int = -15, speed: float = 1.0) -> Currents:
    """Of one of the two sources. The paper prints one power: at another one its board takes more or
    less by what a CC2420 does. With data sheets a CPU that computes has its radio idle, and one that
    sends sleeps but for its clocks. At another `speed`, a part of the usual clock, the CPU takes that
    part of its current, as 2549 prints it for 4 MHz; the paper's board takes less by as much."""
    radio, usual = (
        current_of(board, RADIO, f"tx_{POWERS[power]}").ma
        for power in (dbm, load("zigbee")["setup"]["tx_power_dbm"])
    )
    active, idle = (current_of(board, CPU, state).ma for state in ("active", "idle"))
    if source == PAPER:
        printed = load("zigbee")
        ma = printed["current_ma"]
        sending = ma["send"] + radio - usual - (1 - speed) * idle
        computing = ma["encrypt_software"] - (1 - speed) * active
        return Currents(printed["setup"]["supply_v"], computing, sending)
    listens = current_of(board, RADIO, "idle").ma
    return Currents(BOARDS[board].supply.usual_v, speed * active + listens, speed * idle + radio)


def coprocessor_uj(clocks: float = COPROCESSOR_CLOCKS) -> float:
    """Energy of a block in the coprocessor, with the currents of the paper's FPGA."""
    return coprocessor_mw() * clocks / float(load("zigbee")["setup"]["fpga_clock_mhz"]) / 1000


def coprocessor_mw() -> float:
    """Power of the paper's FPGA while it encrypts."""
    setup, ma = load("zigbee")["setup"], load("zigbee")["current_ma"]
    return float(
        setup["fpga_v_int"] * ma["encrypt_hardware_int"]
        + setup["fpga_v_aux"] * ma["encrypt_hardware_aux"]
    )


@dataclass(frozen=True, slots=True)
class ZigbeeEnergyRow:
    """A packet of 16 octets one way, with one set of currents."""

    board: str
    seed: int
    currents: str
    way: str
    setting: bool
    """Its times of AES are the paper's, and not measured."""
    crypt_ms: float
    stack_ms: float
    send_ms: float
    """The radio sends, or prepares to."""
    decrypt_ms: float
    ack_ms: float
    """The receiver's ack on the air."""
    crypt_uj: float
    stack_uj: float
    send_uj: float
    ack_uj: float
    frame_uj: float
    """The receiver's radio while the frame comes in, which the paper does not count."""
    decrypt_uj: float
    saving: float
    """Part of encryption, stack and sending that a coprocessor saves."""
    wardmote: str
    commit: str


def gathered(values: Sequence[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """The paper's own, the paper's times of AES in our packet, and ours, for each set."""
    for source in (PAPER, SHEETS):
        if source == PAPER:
            yield printed(values[0])
        clear = next(one for one in values if one["way"] == "in clear")
        time = load("zigbee")["time"]
        aes = {
            "crypt_ms": time["encrypt_software_ms"],
            "decrypt_ms": time["decrypt_software_ms"],
            "stack_ms": time["stack_ms"],
        }
        yield row({**clear, **aes, "way": TIMES}, source, setting=True)
        for own in values:
            yield row(own, source)
        yield row({**clear, "way": COPROCESSOR}, source)


def row(own: Mapping[str, Any], source: str, *, setting: bool = False) -> Mapping[str, Any]:
    """Energies of times."""
    takes, hardware = currents(own["board"], source), own["way"] == COPROCESSOR
    bare = own["way"] == "in clear"
    crypt_ms, decrypt_ms = (
        0 if bare or hardware else own[f"{name}_ms"] for name in ("crypt", "decrypt")
    )
    by_block = coprocessor_uj()
    crypt_uj = by_block if hardware else takes.computing_uj(crypt_ms)
    stack_uj, send_uj = takes.computing_uj(own["stack_ms"]), takes.sending_uj(own["send_ms"])
    listening = current_of(own["board"], RADIO, "rx").ma
    frame_uj = (
        takes.supply_v
        * FRAME_AIR_MS
        * (load("zigbee")["current_ma"]["stack"] if source == PAPER else listening)
    )
    return {
        **{name: own[name] for name in ("board", "seed", "way")},
        "currents": source,
        "setting": setting,
        "crypt_ms": round(crypt_ms, 4),
        "decrypt_ms": round(decrypt_ms, 4),
        "stack_ms": round(own["stack_ms"], 3),
        "send_ms": round(own["send_ms"], 3),
        "ack_ms": ACK_AIR_MS,
        "crypt_uj": round(crypt_uj, 3),
        "stack_uj": round(stack_uj, 2),
        "send_uj": round(send_uj, 1),
        "ack_uj": round(takes.sending_uj(ACK_AIR_MS), 2),
        "frame_uj": round(frame_uj, 1),
        "decrypt_uj": round(by_block if hardware else takes.computing_uj(decrypt_ms), 3),
        "saving": round(max(0.0, crypt_uj - by_block) / (crypt_uj + stack_uj + send_uj), 4)
        if not (bare or hardware)
        else 0.0,
    }


def printed(own: Mapping[str, Any]) -> Mapping[str, Any]:
    """As the paper prints it; it prints no energy of the stack, which follows from its Table 2."""
    paper = load("zigbee")
    time, uj = paper["time"], paper["energy_uj"]
    stack = currents(own["board"], PAPER).computing_uj(time["stack_ms"])
    whole = uj["encrypt_software"] + stack + uj["send"]
    return {
        **{name: own[name] for name in ("board", "seed")},
        "currents": PAPER,
        "way": PRINTED,
        "setting": True,
        "crypt_ms": time["encrypt_software_ms"],
        "decrypt_ms": time["decrypt_software_ms"],
        "stack_ms": time["stack_ms"],
        "send_ms": time["send_ms"],
        "ack_ms": time["receive_us"] / 1000,
        "crypt_uj": uj["encrypt_software"],
        "stack_uj": round(stack, 2),
        "send_uj": uj["send"],
        "ack_uj": uj["receive"],
        "frame_uj": round(
            paper["setup"]["supply_v"] * paper["current_ma"]["stack"] * time["send_ms"], 1
        ),
        "decrypt_uj": uj["decrypt_software"],
        "saving": round((uj["encrypt_software"] - uj["encrypt_hardware"]) / whole, 4),
    }
