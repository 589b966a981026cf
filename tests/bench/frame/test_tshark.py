# SPDX-License-Identifier: BSD-3-Clause
"""tshark opens what `wardmote frame` writes: clear captures without keys, secured ones with
them."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.bench.frame.captures import NO_FCS, WITH_FCS, pcap, pcapng, tap
from tests.bench.frame.command import run
from tests.bench.frame.network import K2, KEY, data_frame, in_clear, on_air
from tests.interop.captures import ACK, DATA, capture, tshark
from tests.stack.link.tshark import judge
from wardmote.measurements.slot.block import BEACON_KEY, BEACON_KEY_INDEX, DATA_KEY, DATA_KEY_INDEX
from wardmote.measurements.slot.setting import ASH_FORMS, all_settings

Oracle = Callable[[str], str]
PAYLOADS = [bytes([0x17]) * n for n in (4, 15, 16, 17, 60, 96)]
"""Octets that tshark takes for no protocol, and long enough that it does not look for one."""


def complaints(program: str, path: Path) -> str:
    """Everything tshark has against a capture, FCS included."""
    command = [
        program,
        "-n",
        "-r",
        str(path),
        "-Y",
        "_ws.expert",
        "-T",
        "fields",
        "-e",
        "_ws.expert.message",
    ]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


@pytest.mark.parametrize("form", ["pcap", "pcapng", "with FCS", "without FCS"])
def test_clear_captures_open_without_keys(form: str, oracle: Oracle, tmp_path: Path) -> None:
    """A capture that was unsecured shows every payload, and tshark objects to nothing."""
    program, out = oracle("tshark"), tmp_path / "clear.pcap"
    some = [data_frame(payload, seq=i) for i, payload in enumerate(PAYLOADS)]
    octets = [on_air(frame, 50 + i) for i, frame in enumerate(some)]
    records = [tap(one, 50 + i) for i, one in enumerate(octets)]
    given = {
        "pcap": pcap(records),
        "pcapng": pcapng(records),
        "with FCS": pcap(
            [record[-len(one) - 2 :] for record, one in zip(records, octets, strict=True)], WITH_FCS
        ),
        "without FCS": pcap(octets, NO_FCS),
    }[form]
    asn = ("--asn", "50") if "FCS" in form else ()
    done = run("unsecure", "-", "--key", KEY, "-o", out, *asn, given=given)
    assert done.code == 0, done
    assert complaints(program, out) == ""
    assert [verdict.data for verdict in judge(program, out, [])] == [
        payload.hex() for payload in PAYLOADS
    ]


def test_secured_captures_are_decrypted(oracle: Oracle, tmp_path: Path) -> None:
    """tshark decrypts and authenticates every frame that was secured, at every level."""
    program, out = oracle("tshark"), tmp_path / "secured.pcap"
    clear = pcap([tap(in_clear(data_frame(p, seq=i)), 9 + i) for i, p in enumerate(PAYLOADS)])
    for level in (1, 2, 3, 5, 6, 7):
        done = run("secure", "-", "--key", KEY, "--level", str(level), "-o", out, given=clear)
        verdicts = judge(program, out, [(K2, 2)])
        fit = [p for p in PAYLOADS if 2 + 23 + len(p) + (4, 8, 16)[(level & 3) - 1] <= 127]
        assert done.code == (len(fit) != len(PAYLOADS))
        assert [verdict.data for verdict in verdicts] == [payload.hex() for payload in fit]
        assert [verdict.complaints for verdict in verdicts] == [()] * len(fit)


def test_a_capture_of_motes_is_unsecured(slot_images: Path, oracle: Oracle, tmp_path: Path) -> None:
    """Frames that emulated motes exchanged, beacons and Enh-Acks among them, come out as tshark
    decrypts them."""
    program, secured, out = oracle("tshark"), tmp_path / "secured.pcap", tmp_path / "clear.pcap"
    image = (slot_images / "slot-software.elf").read_bytes()
    [case] = all_settings("telosb", ("software",), (5,), ASH_FORMS["6tisch"], 8_000_000, 127)
    before = tshark(program, capture(case, image, exchanges=3), secured)
    keys = [
        f"{index}:{key.hex()}"
        for key, index in ((BEACON_KEY, BEACON_KEY_INDEX), (DATA_KEY, DATA_KEY_INDEX))
    ]
    done = run("unsecure", secured, "--key", keys[0], "--key", keys[1], "-o", out)
    assert done.code == 0, done
    after = tshark(program, out.read_bytes(), tmp_path / "again.pcap")
    assert {DATA, ACK} < {frame.frame_type for frame in after}
    assert [(f.frame_type, f.asn, f.data, f.complaint) for f in after] == [
        (f.frame_type, f.asn, f.data, f.complaint) for f in before
    ]
    assert not any(frame.secured for frame in after)
