# SPDX-License-Identifier: BSD-3-Clause
"""IPsec while fragments come and go: the packets and the refusals are those of IPsec as a whole, at every
split, and nothing is left of what does not end well."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from tests.model.ipsec_model import Sa, Suite, secured
from tests.stack.link.linklib import name_of
from tests.stack.net import aheadlib
from tests.stack.net.aheadlib import Ahead, Step
from tests.stack.net.ipseclib import GROUP, IN, OUT, PROTECT, Node, sas_of, some
from tests.vectors import Vector, load, named
from vectors.generate_ipsec import OURS, PEER, clear, sa_of
from wardmote.call import Target

HEADERS = (*aheadlib.HEADERS, "engine_double", "!tab")
XCBC, CMAC = "aes_xcbc_96", "aes_cmac_96"
AH, CTR = Suite("", XCBC), Suite("aes_ctr", XCBC)
BY_PIECES = AH, Suite("", CMAC), CTR, Suite("aes_ctr", CMAC), Suite("null", XCBC)
IPV6, PIECE, MANY = 40, 16, 100
ESP, DESTINATION, EXPERIMENT = 50, 60, 0x1E


def steps_of(random: Random, octets: int) -> list[Step]:
    """A packet in a few pieces, with more work or less between them."""
    ends = sorted(random.randrange(octets + 1) for _ in range(random.randrange(1, 6)))
    return [Step(end, random.choice((0, 1, 3, MANY))) for end in ends]


def peers(target: Target, sa: Sa, direction: int, cipher: str = "small_both") -> Ahead:
    """A node with one SA, and one policy that asks for it."""
    policy = {"remote": PEER if direction == IN else OURS, "prefix": 128, "action": PROTECT}
    policy["ah" if sa.suite.is_ah else "esp"] = GROUP
    code = "engine" if cipher == "engine" else "small"
    made = Node(target, [(direction, sa)], policies=[policy], cipher=cipher, code_cipher=code)
    assert made.started == "WM_OK"
    return Ahead(made)


def receiver_of(target: Target, sas: Sequence[Sa]) -> Ahead:
    """A node that receives under these SAs; codes by the AES that takes least RAM."""
    study = {"profile": int(not all(sa.suite.is_ah or sa.suite.secure for sa in sas))}
    return Ahead(
        Node(target, [(IN, sa) for sa in sas], study, cipher="small_both", code_cipher="small")
    )


def test_every_packet_is_taken(target: Target) -> None:
    """All vectors of all suites, in pieces: once, and not a second time."""
    for number, vector in enumerate(some(target, load("ipsec", "ipsec"))):
        with named(f"{vector}, {vector.comment}, {vector.parameters}"):
            sas, packet = sas_of(vector), vector.octets("packet")
            ahead = receiver_of(target, sas)
            steps = steps_of(Random(number), len(packet))
            safe = all(sa.suite.is_ah or sa.suite.secure for sa in sas)
            want = "WM_OK" if safe else "WM_NOT_AUTHENTICATED"
            assert ahead.unsecure(packet, steps) == (want, vector.octets("clear")), steps
            assert ahead.unsecure(packet, steps)[0] == ("WM_ERR_COUNTER" if safe else want)
            sequence = vector.number("sequence") if safe else 0
            assert ahead.node.sa(IN)["sequence"] == sequence


def sender_of(target: Target, vector: Vector) -> Ahead:
    """Whoever made the vector."""
    policy = {"remote": OURS, "prefix": 128, "action": PROTECT}
    for sa in sas_of(vector):
        policy["ah" if sa.suite.is_ah else "esp"] = GROUP
    profile = {"profile": int(not all(sa.suite.is_ah or sa.suite.secure for sa in sas_of(vector)))}
    sas = [(OUT, sa) for sa in sas_of(vector)]
    sender = Node(target, sas, profile, [policy], cipher="small_both", code_cipher="small")
    for at in range(len(sas)):
        sender.go_on_from(OUT, at, vector.number("sequence") - 1)
    return Ahead(sender)


def test_every_packet_is_made(target: Target) -> None:
    """All vectors of all suites, in pieces: octet for octet."""
    for number, vector in enumerate(some(target, load("ipsec", "ipsec"))):
        with named(f"{vector}, {vector.comment}, {vector.parameters}"):
            packet, ahead = vector.octets("packet"), sender_of(target, vector)
            steps = steps_of(Random(number), len(packet))
            assert ahead.secure(vector.octets("clear"), steps) == ("WM_OK", packet), steps
            assert ahead.node.sa(OUT)["sequence"] == vector.number("sequence")


def test_every_refusal(target: Target) -> None:
    """As of a whole packet, and nothing is left of it."""
    for number, vector in enumerate(some(target, load("ipsec/refusals.json"))):
        with named(f"{vector}, {vector.comment}, {vector.parameters}"):
            packet, ahead = vector.octets("packet"), receiver_of(target, sas_of(vector))
            steps = steps_of(Random(number), len(packet))
            assert ahead.unsecure(packet, steps)[0] == vector.members["status"], steps


def splits(octets: int) -> Iterator[list[Step]]:
    """One split at every octet, and work on all that is there."""
    yield from ([Step(at, MANY)] for at in range(1, octets + 1))


def test_every_split(few: Target) -> None:
    """Where a packet is cut does not matter, in either direction."""
    lengths = (0, 15, 16, 33) if few.name == "host" else (16,)
    for suite in BY_PIECES:
        sa = sa_of(suite, 1)
        for length in lengths:
            plain = clear(length)
            packet = secured((sa,), plain, 1)
            cuts = splits(len(packet)) if few.name == "host" else [[Step(70, 3), Step(90, MANY)]]
            for steps in cuts:
                with named(f"{suite}, {length}, {steps}"):
                    assert peers(few, sa, IN).unsecure(packet, steps) == ("WM_OK", plain)
                    policy = peers(few, sa, OUT).secure(plain, steps)
                    assert policy == ("WM_OK", packet)


def test_every_flipped_bit(few: Target) -> None:
    """A packet with one wrong bit is refused as it is as a whole, and moves no window."""
    for suite in (AH, CTR):
        sa = sa_of(suite, 1)
        packet = secured((sa,), clear(30), 1)
        every = 3 if few.name == "host" else 97
        for bit in range(0, 8 * len(packet), every):
            changed = bytearray(packet)
            changed[bit // 8] ^= 1 << bit % 8
            with named(f"{suite}, bit {bit}"):
                whole = peers(few, sa, IN).node
                want = whole.unsecure(bytes(changed))
                by_pieces = peers(few, sa, IN)
                steps = [Step(76, MANY), Step(len(packet), MANY)]
                assert by_pieces.unsecure(bytes(changed), steps) == want
                assert by_pieces.node.sa(IN)["sequence"] == whole.sa(IN)["sequence"]


def test_the_work_is_done_ahead(few: Target) -> None:
    """Whatever is there is worked on before the rest comes: with everything there, the code stops in
    front of the ICV, and what is behind the header is decrypted."""
    for suite in BY_PIECES:
        sa = sa_of(suite, 1)
        packet = secured((sa,), clear(64), 1)
        with named(f"{suite}"):
            ahead = peers(few, sa, IN)
            place = few.buffer(bytes(len(packet)))
            ahead.come(packet, place, [Step(len(packet), MANY)])
            state = ahead.state()
            end = len(packet) if suite.is_ah else len(packet) - 12
            assert (state["icv"], state["coded"], state["there"]) == (end, end, len(packet))
            assert suite.is_ah or state["crypted"] == end
            assert ahead.node.sa(IN)["sequence"] == 0, "the window waits for the ICV"


def test_what_goes_is_made_ahead(few: Target) -> None:
    """The time on the air of one fragment is enough for the next: work goes on by itself."""
    sa = sa_of(CTR, 1)
    ahead, plain = peers(few, sa, OUT), clear(64)
    place = few.buffer(plain.ljust(len(plain) + 80, b"\0"))
    length = bytearray(ahead.node.number(len(plain)))
    assert ahead.call("secure_ahead", ahead.node.ipsec, place, len(plain) + 80, length) == 0
    assert place.read()[IPV6 + 16 :][: len(plain) - IPV6] == plain[IPV6:], "not yet encrypted"
    assert ahead.work(MANY) == 2 * -(-(len(plain) - IPV6 + 2) // PIECE) + 1
    packet = secured((sa,), plain, 1)
    assert place.read()[: len(packet) - 12] == packet[:-12]
    assert ahead.call("ahead_make", place, len(packet)) == 0
    assert place.read()[: len(packet)] == packet


def test_a_packet_that_does_not_get_so_far(few: Target) -> None:
    """Nothing decrypted is left of it, nor of one that was to go."""
    for suite in (AH, CTR):
        sa = sa_of(suite, 1)
        plain, packet = clear(64), secured((sa,), clear(64), 1)
        ahead = peers(few, sa, IN)
        place = few.buffer(bytes(len(packet)))
        ahead.come(packet, place, [Step(100, MANY)])
        ahead.call("ahead_stop")
        ahead.check_over()
        assert place.read() == packet[:IPV6] + bytes(60) + packet[100:]
        ahead.call("ahead_stop")
        assert peers(few, sa, IN).unsecure(packet, []) == ("WM_OK", plain)
    ahead = peers(few, sa, OUT)
    place = few.buffer(plain.ljust(200, b"\0"))
    length = bytearray(ahead.node.number(len(plain)))
    assert ahead.call("secure_ahead", ahead.node.ipsec, place, 200, length) == 0
    assert ahead.call("ahead_make", place, 60) == 0
    ahead.call("ahead_stop")
    ahead.check_over()
    assert not any(place.read()[IPV6:])


def test_other_packets_go_as_a_whole(few: Target) -> None:
    """While one packet is at work, another one is taken and made all the same."""
    sa = sa_of(CTR, 1)
    packets = [secured((sa,), clear(30), number) for number in (1, 2)]
    ahead = peers(few, sa, IN)
    first, second = (few.buffer(bytes(len(packets[0]))) for _ in packets)
    ahead.come(packets[0], first, [Step(70, 1)])
    ahead.come(packets[1], second, [Step(70, 1)])
    assert ahead.state()["packet"] == first.address
    for place in (second, first):
        length = bytearray(ahead.node.number(len(packets[0])))
        assert ahead.call("unsecure_ahead", ahead.node.ipsec, place, length) == 0
        assert place.read()[: len(clear(30))] == clear(30)
    ahead.check_over()
    assert ahead.node.sa(IN)["sequence"] == 2


def test_a_packet_to_a_group_goes_as_a_whole(few: Target) -> None:
    """It is not begun while it comes; one to this node is."""
    sa = sa_of(CTR, 1)
    packet = secured((sa,), clear(30), 1)
    ahead = peers(few, sa, IN)
    place = few.buffer(bytes(len(packet)))
    ahead.come(packet[:24] + b"\xff\2" + bytes(13) + b"\1" + packet[IPV6:], place, [Step(70, 1)])
    ahead.check_over()
    ahead.come(packet, place, [Step(70, 1)])
    assert ahead.state()["packet"] == place.address
    assert ahead.state()["sa"] != 0


def test_options_between_ah_and_esp(few: Target) -> None:
    """A packet with ESP somewhere behind AH is taken as a whole."""
    outer, inner = sa_of(AH, 1), sa_of(CTR, 2)
    within = secured((inner,), clear(30), 1)
    for options in (
        bytes([ESP, 0, 1, 4, 0, 0, 0, 0]),
        bytes([ESP, 1, EXPERIMENT, 12]) + b"\xff" * 12,  # no option of it begins elsewhere
    ):
        length = (len(within) - IPV6 + len(options)).to_bytes(2, "big")
        head = within[:4] + length + bytes([DESTINATION]) + within[7:IPV6]
        packet = secured((outer,), head + options + within[IPV6:], 1)
        for split in (IPV6, 80, len(packet)):
            ahead = receiver_of(few, (outer, inner))
            status, taken = ahead.unsecure(packet, [Step(split, MANY)])
            assert (status, taken[IPV6 + len(options) :]) == ("WM_OK", clear(30)[IPV6:])


def test_the_window_holds_for_two_at_once(few: Target) -> None:
    """A copy that was whole first makes the one at work a replay."""
    sa = sa_of(CTR, 1)
    packet = secured((sa,), clear(30), 1)
    ahead = peers(few, sa, IN)
    place = few.buffer(bytes(len(packet)))
    ahead.come(packet, place, [Step(len(packet), MANY)])
    assert ahead.node.unsecure(packet)[0] == "WM_OK"
    length = bytearray(ahead.node.number(len(packet)))
    status = ahead.call("unsecure_ahead", ahead.node.ipsec, place, length)
    assert name_of(status) == "WM_ERR_COUNTER"
    assert not any(place.read())


def test_keys_that_change_in_between(few: Target) -> None:
    """What was begun under other keys is refused."""
    sa = sa_of(CTR, 1)
    packet = secured((sa,), clear(30), 1)
    ahead = peers(few, sa, IN)
    place = few.buffer(bytes(len(packet)))
    ahead.come(packet, place, [Step(len(packet), MANY)])
    other = {"octets": ahead.node.integrity_key(sa_of(CTR, 1, "other"))}
    ahead.node.change(IN, 0, integrity_key=other)
    length = bytearray(ahead.node.number(len(packet)))
    status = ahead.call("unsecure_ahead", ahead.node.ipsec, place, length)
    assert name_of(status) == "WM_ERR_UNAVAILABLE_KEY"
    assert not any(place.read())
    ahead.check_over()


def test_what_is_not_named_goes_as_a_whole(few: Target) -> None:
    """With empty tables nothing is at work, and packets are the same."""
    sa = sa_of(CTR, 1)
    packet = secured((sa,), clear(30), 1)
    ahead = Ahead(peers(few, sa, IN).node, (), ())
    place = few.buffer(bytes(len(packet)))
    ahead.come(packet, place, [Step(70, 1)])
    assert ahead.state()["sa"] == 0
    ahead = Ahead(peers(few, sa, IN).node, (), ())
    assert ahead.unsecure(packet, [Step(70, 1)]) == ("WM_OK", clear(30))
    ahead = Ahead(peers(few, sa, OUT).node, (), ())
    assert ahead.secure(clear(30), [Step(70, 1)]) == ("WM_OK", packet)


def test_no_sequence_number_is_left(few: Target) -> None:
    """The packet is as it was, and whoever makes keys is asked as ever."""
    sa = sa_of(CTR, 1)
    ahead = peers(few, sa, OUT)
    ahead.node.change(OUT, 0, sequence=0xFFFFFFFF)
    assert ahead.secure(clear(30), [Step(70, 1)]) == ("WM_ERR_COUNTER", clear(30))


def failing(target: Target, sa: Sa, direction: int, block: int) -> str:
    """Status where that block fails; then the window has not moved."""
    target.call("engine_double_fail_at", 0)
    ahead = peers(target, sa, direction, "engine")
    target.call("engine_double_fail_at", block)
    if direction == OUT:
        return ahead.secure(clear(30), [Step(76, 2)])[0]
    status, _ = ahead.unsecure(secured((sa,), clear(30), 1), [Step(76, 2)])
    assert ahead.node.sa(IN)["sequence"] == (0 if block else 1)
    return status


def test_every_block_that_fails(few: Target) -> None:
    """No octet of a packet leaves, and none is taken."""
    for suite in (AH, CTR):
        sa = sa_of(suite, 1)
        for direction in (IN, OUT):
            assert failing(few, sa, direction, 0) == "WM_OK"
            blocks = few.call("engine_double_count").value
            assert blocks > 4
            for block in range(1, blocks + 1) if few.name == "host" else (1, blocks):
                with named(f"{suite} {direction} {block}"):
                    assert failing(few, sa, direction, block) == "WM_ERR_ENGINE"
