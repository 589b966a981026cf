# SPDX-License-Identifier: BSD-3-Clause
"""The frames that other programs read, thousands of all kinds, through `wardmote frame` as one
capture an edition."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.bench.frame.captures import frames, pcap, tap
from tests.bench.frame.command import run
from tests.interop.frame_cases import ADDRESS, KEY_SOURCE, KEYS, Case, cases
from tests.interop.frame_procedures import DEFAULT_SOURCE, OTHERS, PANS, edition_of, on_air
from tests.model.ieee802154_model import ACK, MIC_OCTETS, nonce_of
from tests.stack.link.editions import E2011, E2012E, E2015

EDITIONS = {E2011: "2011", E2012E: "2012e", E2015: "2015"}


def keys_file() -> str:
    """Every key by every name, and the one sender."""
    text = f'replays = "accept"\nunknown_devices = "accept"\n[network]\npan = "{PANS[0]:04x}"\n'
    text += (
        "default_key_source = "
        f'"{DEFAULT_SOURCE.hex()}"\ncoordinator_ext = '
        f'"{ADDRESS["extended"].hex()}"\n'
    )
    for pan in PANS:
        text += (
            f'[[device]]\npan = "{pan:04x}"\nshort = '
            f'"{ADDRESS["short"].hex()}"\next = '
            f'"{ADDRESS["extended"].hex()}"\n'
        )
        for other in OTHERS:
            named = f'{"short" if len(other) == 2 else "ext"} = "{other.hex()}"'
            text += (
                f'[[key]]\nmode = 0\noctets = "{KEYS[0].hex()}"\ndevice = {{ '
                "pan = "
                f'"{pan:04x}", {named} }}\n'
            )
    for index in set(KEYS) - {0}:
        for mode, source in ((1, b""), (2, KEY_SOURCE[:4]), (3, KEY_SOURCE)):
            text += f'[[key]]\nmode = {mode}\nindex = {index}\noctets = "{KEYS[index].hex()}"\n'
            text += f'source = "{source.hex()}"\n' if source else ""
    return text


def octets_of(case: Case) -> bytes:
    """The frame of a case as it is on the air."""
    return on_air(case) if case.secured else case.frame.clear()


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_frame_comes_out_in_clear(edition: int, tmp_path: Path) -> None:
    """Each frame of the edition, secured by the model or in clear, comes out as it was before, FCS
    right."""
    some = [case for case in cases() if edition_of(case) == edition]
    assert len(some) > 20
    some.sort(
        key=lambda case: case.frame.type != ACK
    )  # none without source may come to answer the frame before it
    book = tmp_path / "keys.toml"
    book.write_text(f'edition = "{EDITIONS[edition]}"\n{keys_file()}')
    capture = pcap(tap(octets_of(case), case.asn) for case in some)
    done = run("unsecure", "--keys", book, given=capture)
    assert done.code == 0, done.err
    for case, clear in zip(some, frames(done.out), strict=True):
        assert clear == case.frame.with_ash(None).clear(), case


def test_every_frame_is_shown_as_it_was_made() -> None:
    """Parts and MIC of each frame are the model's. So is the nonce where the frame alone gives
    it."""
    some = [case for case in cases() if edition_of(case) == E2015]
    done = run(
        "show", "--format", "json", given=pcap(tap(octets_of(case), case.asn) for case in some)
    )
    assert done.code == 0, done.err
    for case, row in zip(some, json.loads(done.out), strict=True):
        octets, frame = octets_of(case), case.frame
        assert row["header_ies"] == (frame.header_ies.hex() or None), case
        if frame.ash is None:
            assert (row["security_enabled"], row["payload"]) == (
                False,
                (frame.open_part + frame.private_part).hex(),
            ), case
            continue
        mic = MIC_OCTETS[frame.ash.level]
        private = len(frame.private_part) if frame.ash.level >= 4 else 0
        assert row["mic"] == octets[len(octets) - mic :].hex(), case
        assert row["a_data_octets"] == len(octets) - mic - private, case
        assert row["m_data"] == octets[len(octets) - mic - private : len(octets) - mic].hex(), case
        alone = case.shape.src == "extended" or (
            case.shape.form == "asn" and case.shape.src == "short"
        )
        assert row["nonce"] == (
            nonce_of(frame, case.shape.form, case.asn, None).hex() if alone else None
        ), case
