# SPDX-License-Identifier: BSD-3-Clause
"""Calls of every public function of the stack on an emulated CPU, with inputs that take it deep: the
ciphers that need most, frames with everything that they may have, refusals. How deep they go is
compared with the bounds in stack/stack-use.

    .venv/bin/python -m tests.stack.stack_use

writes the bounds anew.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import product
from random import Random

from tests.model import ieee802154_model as model
from tests.model.ieee802154_model import Ash, Beacon
from tests.model.tinysec_model import Message
from tests.stack import test_residue
from tests.stack.calls import OK, SEAL, Ccm
from tests.stack.conftest import KINDS, DeepTarget, target_named
from tests.stack.link import (
    test_admit,
    test_csma,
    test_frame_security,
    test_link_residue,
    test_second_life,
    test_security_apart,
    test_security_outgoing,
    test_security_pib,
    test_security_tsch,
    test_tsch_ahead_cpus,
    test_tsch_resume,
)
from tests.stack.link.editions import E2015
from tests.stack.link.frames import ash, data, flipped, to_peer
from tests.stack.link.linklib import HEADERS as LINK_HEADERS
from tests.stack.link.linklib import Link, length_of, link_target
from tests.stack.link.peers import KEY
from tests.stack.link.pib import Pib
from tests.stack.link.test_constant_time import LEVELS, Frames, Procedures, header
from tests.stack.mode import test_ccm, test_ccm_l4, test_eax_ocb3
from tests.stack.net import (
    test_ipsec,
    test_ipsec_ahead,
    test_ipsec_constant_time,
    test_ipsec_policy,
    test_ipsec_state,
    test_ipv6,
    test_ipv6_node,
    test_lowpan,
    test_lowpan_fragments,
    test_lowpan_ipsec,
    test_lowpan_kept,
    test_lowpan_relay,
)
from tests.stack.net.ipseclib import IN, OUT
from tests.stack.primitive_calls import HEADERS
from tests.stack.store import test_counter_cells, test_counter_store
from tests.stack.store.counterlib import GEOMETRY, Counters
from tests.stack.test_residue import OPERATIONS
from tests.stack.tinysec import test_attacks, test_keyrings, test_tinysec
from tests.stack.tinysec.test_tinysec import AE, BY_GROUP
from tests.stack.zigbee import (
    apslib,
    test_zigbee_aps,
    test_zigbee_command,
    test_zigbee_keys,
    test_zigbee_nwk,
    test_zigbee_rollover,
    zigbeelib,
)
from wardmote.cpus import CPU_NAMES
from wardmote.linked import Form, archive, declared, defined
from wardmote.measurements.needs.stack_use import FORMS, file_of
from wardmote.measurements.primitives import run
from wardmote.measurements.primitives.entry import (
    MESSAGE,
    Operation,
    Primitive,
    lengths_of,
    workloads,
)
from wardmote.measurements.primitives.table import PRIMITIVES
from wardmote.paths import ROOT
from wardmote.prototypes import read_public

HEAD = """\
# Octets of stack that a call of each public function takes at most, its return address included and
# arguments on the stack left out: of libwardmote.a with assembly, of portable C, and of the small
# form, as `make stack` builds them. The deepest cipher and hash count where a function takes any.
# What a board supplies (wardmote/port) counts as the doubles of tests/stack need it. A test measures
# each: .venv/bin/python -m tests.stack.stack_use writes this file anew.
"""
WORD = 8
OCTETS = 48
"""Of a message; a multiple of each block."""
LONG = 250
"""Whole blocks, and an end whose padding needs another."""
ODD = 19
"""Octets that end within a block; as associated data without a message, they are left to the end."""
GROUPS = tuple(dict.fromkeys((*HEADERS.values(), *(headers for headers, _ in OPERATIONS.values()))))
"""Headers whose functions fit one executable, of which other tests have need too."""


class Deepest:
    """A CPU and a form of the archive: how deep the calls go."""

    def __init__(self, name: str, *, held: bool) -> None:
        self.name = name
        self.held = held  # to the bounds that there are
        self.cpu, _, kind = name.partition("-")
        self.form = KINDS[kind][0]
        self.targets: dict[int, DeepTarget] = {}

    def target(self, *headers: str) -> DeepTarget:
        """One that starts anew."""
        target = target_named(self.name, *headers)
        assert isinstance(target, DeepTarget)
        if id(target) not in self.targets:
            self.targets[id(target)] = target
            target.deepest.clear()  # of other tests
            target.most = target.most if self.held else {}
        target.reset()
        return target

    def found(self) -> dict[str, int]:
        """Octets by function."""
        deepest: dict[str, int] = {}
        for target in self.targets.values():
            for name, octets in target.deepest.items():
                deepest[name] = max(deepest.get(name, 0), octets)
        return deepest


def primitives(deepest: Deepest) -> None:
    """What `wardmote primitives` measures."""
    for primitive in PRIMITIVES:
        if primitive.form == "fast":
            _primitive(deepest, primitive)


def _primitive(deepest: Deepest, primitive: Primitive) -> None:
    wanted = set(primitive.symbols)
    groups = [each for each in GROUPS if wanted <= declared(deepest.cpu, each, deepest.form)]
    if not groups:
        return
    target = deepest.target(*groups[0])
    lengths = lengths_of(primitive, (OCTETS, LONG))
    if primitive.associated:
        lengths = (*lengths, (0, ODD), (ODD, ODD))
    for load in workloads(primitive, lengths):
        target.reset()
        values = run.place(target, load, Random(1))
        message = values[MESSAGE].read()
        for operation in primitive.operations:
            run.operate(target, load, operation, values, message, run.Secrets(1, 1), trace=False)


def ends(deepest: Deepest) -> None:
    """Opening in pieces, which the table of primitives does not have."""
    for primitive in PRIMITIVES:
        lines = {operation.name: operation.lines[-1] for operation in primitive.operations}
        if primitive.form == "fast" and "finish" in lines:
            keyed = primitive.operations[0].lines
            seal = lines["start"]  # its last word is a direction, and opening is the next one
            begin = f"{seal[:-1]}{int(seal[-1]) + 1}"
            before = (*keyed, begin, lines["aad"], lines["crypt"])
            end = lines["finish"].replace("_seal_finish", "_open_finish")
            operation = Operation("open", (end,), before=before, wrong="tag")
            _primitive(deepest, replace(primitive, operations=(operation,)))


def slices(deepest: Deepest) -> None:
    """Modes over AES in slices and over `lean`, which need more stack than AES with tables."""
    target = deepest.target(*test_eax_ocb3.HEADERS)
    for mode in ("eax", "ocb3"):
        target.reset()
        test_eax_ocb3.test_every_variant_of_aes(target, mode, "fix")
    target = deepest.target(*test_ccm.HEADERS)
    for variant, way in product(("fix", "lean"), (*test_residue.WAYS, "pieces")):
        target.reset()
        test_residue.ccm(target, Random(1), variant, way)


def ciphers(deepest: Deepest) -> None:
    """Keys that nothing of the table has, and what compares and wipes octets."""
    target = deepest.target(*HEADERS["ciphers"], "aes128", "blake2s", "ct")
    octets = bytes(range(24))
    for name in ("curupira1_96", "curupira1_144", "curupira1_192", "skipjack_small"):
        for way in ("init", "init_both"):
            target.call(f"wm_{name}_{way}", target.pack(f"wm_{name}_key"), octets)
    target.call("wm_aes128_lean_init", target.pack("wm_aes128_lean_key"), octets)
    target.call("wm_aes128_lean_encrypt", octets[:16], bytearray(16))
    target.call("wm_curupira_sct", bytearray(12))
    target.call("wm_blake2s_init", target.pack("wm_blake2s"), 32, octets, 24)
    target.call("wm_ct_diff", octets, octets, 24)
    target.call("wm_wipe", bytearray(24), 24)


def frames(deepest: Deepest) -> None:
    """Frames under one key, whole and step by step."""
    target, link = deepest.target(*LINK_HEADERS), Link(deepest.name)
    for _, frame, form in test_frame_security.MATRIX[::23]:
        test_frame_security.check_both_ways(link, frame, form)
    keyed = Frames(deepest.name, "fix")
    for level, octets in LEVELS.items():
        clear = header(level) + bytes(OCTETS)
        _, secured, _ = keyed.call("wm_frame_secure", KEY, clear, len(clear) + octets)
        for received in (secured, flipped(secured, -1)):
            keyed.call("wm_frame_unsecure", KEY, received, len(received))
    _in_steps(target, bytes(keyed.security))


def _in_steps(target: DeepTarget, security: bytes) -> None:
    """The steps of securing and unsecuring a frame."""
    value = Ash(7, 3, 5, False, bytes(8), 9)
    clear = to_peer(bytes(OCTETS), version=2, ash=value, header_ies=model.HT2).clear()
    octets, length = bytearray(clear.ljust(125, b"\0")), length_of(target, len(clear))
    mhr, places, split = (
        target.pack(name) for name in ("wm_mhr", "wm_frame_map", "wm_frame_split")
    )
    assert target.call("wm_frame_parse_clear", octets, len(clear), mhr, places).value == OK
    parts = bytes(mhr), bytes(places)
    target.call("wm_mhr_build", parts[0], bytearray(125), 125, length_of(target))
    target.call("wm_ash_len", target.pack("wm_ash", **test_security_pib.members(value)))
    target.call("wm_level_mic_len", 7)
    target.call("wm_frame_addressing_len", clear[:2])
    target.call("wm_frame_nonce", parts[0], security, bytearray(13))
    target.call("wm_frame_split_clear", *parts, 0, len(clear), split)
    target.call("wm_frame_secure_as", security, *parts, octets, 125, length)
    target.call("wm_frame_split_secured", *parts, 0, length[0], split)
    assert target.call("wm_frame_unsecure_as", security, *parts, octets, length).value == OK


def elements(deepest: Deepest) -> None:
    """Information Elements and Enhanced Beacons."""
    target = deepest.target(*LINK_HEADERS)
    payload, correction = Beacon(1).payload(), model.time_correction(5) + model.HT1
    eb, asn, length = target.pack("wm_eb"), bytearray(5), len(payload)
    target.call("wm_eb_asn", payload, length, asn)
    assert target.call("wm_eb_parse", payload, length, eb).value == OK
    assert target.call("wm_eb_build", eb, bytearray(127), 127, length_of(target)).value == OK
    target.call("wm_time_correction_build", bytearray(4), 4, 5, False)
    target.call("wm_time_correction_parse", correction, len(correction), bytearray(2), bytearray(1))
    target.call("wm_header_ies_end", correction, 0, len(correction), length_of(target))
    for kind, octets in (("header", correction), ("payload", payload), ("nested", payload[2:])):
        left = target.pack("wm_ie_list", at=target.buffer(octets).address, left=len(octets))
        target.call(f"wm_ie_next_{kind}", left, target.pack("wm_ie"))


def procedures(deepest: Deepest) -> None:
    """Tables and counters around frames."""
    target, link = deepest.target(*LINK_HEADERS), Link(deepest.name)
    cases: tuple[tuple[Callable[..., None], tuple[object, ...]], ...] = (
        (test_security_tsch.test_minimal_node, ()),
        (test_security_tsch.test_ack_is_secured_as_the_frame_was, (5,)),
        (test_security_tsch.test_ack_wrong_mic_and_cut, ()),
        *((test_security_tsch.test_ack, (name,)) for name in test_security_tsch.ANSWERS),
        (test_security_pib.test_ash_in_and_out, (2, 3)),
        (test_security_outgoing.test_build, ()),
        (test_security_apart.test_refusals, ()),
        (test_security_apart.test_counters_move_behind_the_mic_alone, (E2015, 5)),
        (test_security_apart.test_time_slotted, ()),
        (test_security_apart.test_what_was_encrypted_is_judged_behind_the_mic, ()),
        *((test_security_pib.test_check_refuses, (name,)) for name in test_security_pib.BAD),
    )
    for case, given in cases:
        target.reset()
        case(target, *given)
    for admitted in test_admit.ADMITTED:
        test_admit.test_admitted(link, *admitted)
    keyed = Procedures(deepest.name, "fix")
    body = bytes(OCTETS)
    keyed.outgoing(KEY, to_peer(body).clear())
    clear = data(body, ash=ash(6)).clear()
    _, secured, _ = keyed.call("wm_frame_secure", KEY, clear, len(clear) + 8)
    for received in (secured, flipped(secured, -1)):
        keyed.incoming(KEY, received)


def counters(deepest: Deepest) -> None:
    """The store of counters, with an erasure in each way."""
    deepest.target(*LINK_HEADERS)
    for port in GEOMETRY:
        store = Counters(link_target(deepest.name), port)
        assert (store.create(), store.open()) == ("WM_OK", "WM_OK")
        for counter in range(1, 12):
            assert store.advance(0, 4 * counter) == "WM_OK"
        assert (store.clear(0), store.compact()) == ("WM_OK", "WM_OK")
        assert (store.free() > 0, store.limit(0)) == (True, 0)
        store.target.call("wm_counter_store_continues", store.store, 0, 0)
        assert store.destroy() == "WM_OK"
        test_counter_store.test_power_cuts_break_no_promise(deepest.name, port)
    store = Counters(link_target(deepest.name), slots=2)
    assert store.create() == "WM_OK"
    pib = test_second_life.stored(store, E2015)
    node = test_second_life.begin(store, 4, pib, restored=True)
    for counter in range(5):
        assert node.secure(data().clear()).status == "WM_OK"
        assert node.unsecure(test_second_life.frame_of(counter)).status == "WM_OK"
    slots = Pib(E2015, True, asn=0, asn_slot=0, store=store.store.address)
    test_second_life.begin(store, 4, slots, restored=True)
    cells = test_counter_cells.Cells(deepest.target(*test_counter_cells.HEADERS))
    assert (cells.create(), cells.open()) == ("WM_OK", "WM_OK")
    test_counter_cells.test_the_last_counters(cells)
    test_counter_cells.test_other_contents_are_no_counter(cells)
    test_counter_cells.test_an_octet_that_is_lost(cells)


def tsch(deepest: Deepest) -> None:
    """The engine as a root and as a leaf, and every procedure in every edition."""
    target, link = deepest.target(*LINK_HEADERS), Link(deepest.name)
    for operation in test_link_residue.OPERATIONS.values():
        target.reset()
        operation(target, Random(1))
    test_tsch_resume.test_nothing_goes_back(link)
    target.call("wm_tsch_limit_join", target.pack("wm_tsch"), b"\xff" * 5)
    target.call("wm_tsch_rests", target.pack("wm_tsch"))


def ahead(deepest: Deepest) -> None:
    """The engine as a root and as a leaf that work ahead of the slot."""
    for headers, operations in (
        (test_tsch_ahead_cpus.HEADERS, test_tsch_ahead_cpus.OPERATIONS),
        (test_tsch_ahead_cpus.ENGINE_HEADERS, test_tsch_ahead_cpus.OF_ENGINES),
    ):
        target = deepest.target(*headers)
        for operation in operations.values():
            target.reset()
            operation(target, Random(1))


def tinysec(deepest: Deepest) -> None:
    """Packets of TinySec over either cipher: sent, received, refused, under new keys."""
    target = deepest.target(*test_tinysec.HEADERS)
    for case in (
        test_tinysec.test_pieces_of_any_length,
        test_tinysec.test_plain_packets,
        test_tinysec.test_new_keys,
        test_tinysec.test_replays,
        test_tinysec.test_counters_survive_a_reset,
        test_tinysec.test_a_packet_that_was_prepared_needs_no_store,
        test_keyrings.test_new_keyrings,
        test_keyrings.test_an_alarm,
        test_attacks.test_a_power_cut_at_each_write,
    ):
        target.reset()
        case(target)
    test_keyrings.test_every_pair_is_found(target, BY_GROUP, AE)
    test_attacks.test_a_key_that_stays(target, BY_GROUP)
    for cipher in ("skipjack", "rc5"):
        node = test_tinysec.Mote(target, bytes(range(16)), cipher, {"send": AE})
        assert node.secure(Message(2, 1, bytes(29)))[0] == "WM_OK"
        new = [node.made(bytes([one]) * 8) for one in (1, 2)]
        target.call("wm_tinysec_change_keys", node.node, *new)


def zigbee(deepest: Deepest) -> None:
    """ZigBee: NWK and APS frames sent, received, refused; keys, roll-over, commands."""
    target = deepest.target(*zigbeelib.HEADERS)
    for case in (
        test_zigbee_nwk.test_a_frame_is_taken_once,
        test_zigbee_nwk.test_policy,
        test_zigbee_nwk.test_counters_outlive_a_reset,
        test_zigbee_nwk.test_what_cannot_start,
        test_zigbee_nwk.test_headers_are_read,
    ):
        case(target)
    test_zigbee_nwk.test_every_frame_both_ways(target, 20)
    test_zigbee_rollover.test_a_roll_over(target)
    test_zigbee_rollover.test_counters_of_senders_over_a_switch_and_a_reset(target)
    test_zigbee_rollover.test_power_cuts_within_a_switch(target)
    target = deepest.target(*apslib.HEADERS)
    for case in (
        test_zigbee_aps.test_a_frame_is_taken_once,
        test_zigbee_aps.test_each_command_has_its_key,
        test_zigbee_aps.test_counters_outlive_a_reset,
        test_zigbee_aps.test_what_cannot_start,
        test_zigbee_aps.test_headers_are_read,
    ):
        case(target)
    test_zigbee_aps.test_every_frame_both_ways(target, 20)
    target = deepest.target(*test_zigbee_keys.HEADERS)
    test_zigbee_keys.test_hashes(target, 8)
    test_zigbee_keys.test_keys_of_link_keys(target)
    test_zigbee_keys.test_installation_codes(target)
    test_zigbee_command.test_commands_both_ways(deepest.target(*test_zigbee_command.HEADERS))


def network(deepest: Deepest) -> None:
    """IPv6 and 6LoWPAN."""
    target = deepest.target(*test_ipv6.HEADERS)
    test_ipv6.test_headers_both_ways(target)
    test_ipv6.test_extension_lengths(target)
    test_ipv6.test_checksums(target, 17)
    target = deepest.target(*test_lowpan.HEADERS)
    test_lowpan.test_the_shortest_form(target)
    test_lowpan.test_a_first_fragment(target)
    test_lowpan.test_finished(target)
    test_lowpan_relay.test_the_next_node_gets_the_packet(target)
    for profile in (1, 2):
        test_lowpan_ipsec.test_every_field(target, profile)
    target = deepest.target(*test_lowpan_fragments.HEADERS)
    test_lowpan_fragments.test_packets_of_every_kind(target)
    test_lowpan_fragments.test_any_sequence(target, 2)
    test_lowpan_fragments.test_octets_that_are_made_when_they_go(target)
    test_lowpan_fragments.test_what_is_there(target)
    test_lowpan_fragments.test_who_is_told_of_dropped_packets(target)
    test_lowpan_kept.test_the_next_node_gets_the_packet(target, elide=True)
    test_lowpan_kept.test_packets_of_every_kind(target)
    test_lowpan_kept.test_what_ends_a_packet(target)


def nodes(deepest: Deepest) -> None:
    """A node of IPv6, and the MAC below it."""
    target = deepest.target(*test_ipv6_node.HEADERS)
    for case in (
        *(test_ipv6_node.test_answers, test_ipv6_node.test_forwards, test_ipv6_node.test_errors),
        *(test_ipv6_node.test_own_datagrams, test_ipv6_node.test_next_hops),
        test_ipv6_node.test_what_passes,
    ):
        case(target)
    target = deepest.target(*test_csma.HEADERS)
    for case in (
        *(test_csma.test_a_frame_and_its_ack, test_csma.test_retries, test_csma.test_backoffs),
        *(test_csma.test_whose_frames, test_csma.test_repeated_frames),
        test_csma.test_the_next_frame_in_the_space,
    ):
        case(target)


def ipsec(deepest: Deepest) -> None:
    """Packets under every suite: sent, received, refused, under new keys."""
    target = deepest.target(*test_ipsec.HEADERS)
    for case in (
        *(test_ipsec.test_every_packet_is_made, test_ipsec.test_every_packet_is_taken),
        test_ipsec.test_every_refusal,
    ):
        target.reset()
        case(target)
    target.reset()
    test_ipsec_state.test_the_last_sequence_number(target, test_ipsec_state.AH)
    test_ipsec_policy.test_keys_and_algorithms_that_do_not_belong_together(target)
    target = deepest.target(*test_ipsec_ahead.HEADERS)
    for ahead in (
        *(test_ipsec_ahead.test_every_packet_is_made, test_ipsec_ahead.test_every_packet_is_taken),
        *(test_ipsec_ahead.test_every_refusal, test_ipsec_ahead.test_the_work_is_done_ahead),
        *(
            test_ipsec_ahead.test_a_packet_that_does_not_get_so_far,
            test_ipsec_ahead.test_every_split,
        ),
    ):
        target.reset()
        ahead(target)
    target = deepest.target(*test_ipsec_constant_time.HEADERS)
    for suite, direction in product(test_ipsec_constant_time.SUITES, (IN, OUT)):
        sa, packet = test_ipsec_constant_time.example(suite, direction, Random(1))
        test_ipsec_constant_time.seen(target, sa, direction, packet)
    target = deepest.target(*test_ccm_l4.HEADERS)
    for variant in ("small", "fix"):
        begun = test_ccm_l4.IncrementalL4(Ccm(target, variant, bytes(16)))
        assert begun.start(bytes(11), OCTETS, OCTETS, 8, SEAL) == OK


PARTS: tuple[Callable[[Deepest], None], ...] = (
    primitives,
    ends,
    slices,
    ciphers,
    frames,
    elements,
    procedures,
    counters,
    tsch,
    ahead,
    tinysec,
    zigbee,
    network,
    nodes,
    ipsec,
)


def measured(cpu: str, form: Form, *, held: bool = True) -> dict[str, int]:
    """Octets that each public function of an archive took at most."""
    deepest = Deepest(cpu if form == "fast" else f"{cpu}-{form}", held=held)
    for part in PARTS:
        part(deepest)
    found, there = deepest.found(), defined(archive(cpu, form))
    names = sorted(read_public(ROOT).functions)
    return {name: found[name] for name in names if name in there}


def bound_for(octets: int) -> int:
    """A twentieth more, for another version of a compiler, in whole words."""
    return -(-(octets + octets // 20) // WORD) * WORD


def main() -> None:
    """Writes the bounds of every CPU."""
    for cpu in CPU_NAMES:
        rows = [measured(cpu, form, held=False) for form in FORMS]
        lines = [
            f"{name} = [{', '.join(str(bound_for(row[name])) for row in rows)}]" for name in rows[0]
        ]
        file_of(cpu).write_text("\n".join((HEAD, *lines, "")), encoding="utf-8")


if __name__ == "__main__":
    main()
