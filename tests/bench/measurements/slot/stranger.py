# SPDX-License-Identifier: BSD-3-Clause
"""A stranger in range of a two-node network who sends an Enh-Ack of their own in the place of the
root's.

Theirs begins a little earlier and is much stronger, so that the leaf hears it alone. With the key
it is what the root might have sent; without, it is a forgery. What the leaf's clock does then shows
on the pin that marks its slots.
"""

from dataclasses import dataclass

from cryptography.hazmat.primitives.ciphers.aead import AESCCM

from wardmote.measurements.slot.block import DATA_KEY, LEAF_MOTE, ROOT_EUI64, ROOT_MOTE
from wardmote.measurements.slot.capture import TYPE_ACK, AirFrame, fcs, frames
from wardmote.measurements.slot.network import Network
from wardmote.measurements.slot.setting import Setting
from wardmote.measurements.slot.timing import long_timing
from wardmote.units import PS_PER_S

PS_PER_US = PS_PER_S // 1_000_000
MHR_OCTETS = 21
SEQUENCE = 2
CORRECTION_OCTETS = 4
MIC_OCTETS = 4
EARLY_PS = 100 * PS_PER_US
STRONG_DBM = 20
SETTLED = 12


@dataclass(frozen=True, slots=True)
class Seen:
    """What the leaf did in one slot with a stranger in it."""

    spacing_us: float
    """From the beginning of the leaf's slot to that of its next one, less TsSlotDuration."""
    refused: int
    """Frames that the leaf refused."""
    accepted: int
    """Its data frames that were acknowledged."""
    correction_us: int
    """The last time correction that it took, in microseconds."""
    correction_before_us: int
    """The one before that slot."""


class Stranger:
    """Listens to a network, and sends into the slot that has just begun."""

    def __init__(self, case: Setting, image: bytes, seed: int = 1) -> None:
        """Lets the network exchange a few frames first."""
        self.case = case
        self.network = Network(case, image, long_timing(case.tick_hz), seed)
        assert self.network.join()
        assert self.network.run_to_exchange(SETTLED)
        self.network.marks(ROOT_MOTE.name)
        self.network.marks(LEAF_MOTE.name)
        assert self.network.run_to_exchange(SETTLED + 1)
        self.acks = [
            frame
            for frame in frames(bytes(self.network.simulation.pcap()))
            if frame.type == TYPE_ACK
        ]

    def _slots(self, mote: str) -> list[int]:
        """Beginnings of slots since the last call."""
        return [ps for name, rises, ps in self.network.marks(mote) if name == "slot" and rises]

    @property
    def sequence(self) -> int:
        """Sequence number of the frame that the leaf sends in this slot: one more than that of the
        latest ack."""
        return (self.acks[-1].psdu[SEQUENCE] + 1) & 0xFF

    @property
    def counter(self) -> int:
        """Frame Counter that the root's next ack may carry."""
        start = MHR_OCTETS + 1
        return int.from_bytes(self.acks[-1].psdu[start : start + 4], "little") + 1

    def ack(self, correction_us: int, key: bytes = DATA_KEY) -> bytes:
        """The root's Enh-Ack to the frame of this slot, with a Time Correction of the stranger's
        choice."""
        octets = bytearray(self.acks[-1].psdu[: -2 - MIC_OCTETS])
        octets[SEQUENCE] = self.sequence
        asn = self.network.asn(LEAF_MOTE.name)
        if self.case.ash.counter_carried:
            octets[MHR_OCTETS + 1 : MHR_OCTETS + 5] = self.counter.to_bytes(4, "little")
            nonce = ROOT_EUI64 + self.counter.to_bytes(4, "big") + bytes([self.case.level])
        else:
            nonce = ROOT_EUI64 + asn.to_bytes(5, "big")
        octets[-2:] = (correction_us & 0xFFF).to_bytes(2, "little")
        mic = AESCCM(key, tag_length=MIC_OCTETS).encrypt(nonce, b"", bytes(octets))
        return bytes(octets) + mic

    def unsecured(self, correction_us: int) -> bytes:
        """The same in clear: Security Enabled 0, no ASH, no MIC."""
        octets = bytearray(self.acks[-1].psdu[:MHR_OCTETS])
        octets[0] &= ~8
        octets[SEQUENCE] = self.sequence
        ie = self.acks[-1].psdu[-2 - MIC_OCTETS - CORRECTION_OCTETS : -2 - MIC_OCTETS - 2]
        return bytes(octets) + ie + (correction_us & 0xFFF).to_bytes(2, "little")

    def send(self, mpdu: bytes) -> Seen:
        """Sends a frame in place of this slot's ack, and says what the leaf made of it."""
        ack = self._next_ack()
        before = self.network.stats(LEAF_MOTE.name)
        begun = self.network.simulation.now_ps
        psdu = mpdu + fcs(mpdu)
        self.network.simulation.inject(
            ack.channel, ack.start_ps - EARLY_PS, psdu, power_dbm=STRONG_DBM
        )
        first = self._slots(LEAF_MOTE.name)[-1]
        assert begun - first < 1000 * PS_PER_US
        assert self.network.run_to_exchange(before["data_sent"] + 1)
        after = self.network.stats(LEAF_MOTE.name)
        [second] = self._slots(LEAF_MOTE.name)
        slot_ps = self.network.timing.slot_duration * PS_PER_S // 32_768
        return Seen(
            spacing_us=(second - first - slot_ps) / PS_PER_US,
            refused=after["refused"] - before["refused"],
            accepted=after["data_acked"] - before["data_acked"],
            correction_us=after["correction_us"],
            correction_before_us=before["correction_us"],
        )

    def _next_ack(self) -> AirFrame:
        """Where the root's ack of this slot will be: as far into the root's slot as its latest
        one."""
        latest = self.acks[-1]
        slots = self.network.timing.slot_duration * PS_PER_S // 32_768
        channel = CHANNELS[self.network.asn(LEAF_MOTE.name) % len(CHANNELS)]
        start = latest.start_ps + slots
        assert start - EARLY_PS > self.network.simulation.now_ps
        return AirFrame(start, start, channel, None, b"")


CHANNELS = (16, 17, 23, 18, 26, 15, 25, 22, 19, 11, 12, 13, 24, 14, 20, 21)
"""The default hopping sequence of the 2.4 GHz band (IEEE 802.15.4-2015 6.2.10)."""
