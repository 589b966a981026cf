# SPDX-License-Identifier: BSD-3-Clause
"""The fuzz targets see defects: with one in the stack, the kept corpus and a short run from it end
in a finding."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from scripts import fuzz

RUNS = 60_000
FLAGS = (
    "-std=c11",
    "-O1",
    "-g",
    "-ffreestanding",
    "-Istack/include",
    "-fno-sanitize-recover=all",
)
SANITIZERS = "address,undefined"
SOURCES = (
    *("link/*.c", "tinysec/*.c", "zigbee/*.c", "net/*.c", "store/*.c"),
    *("hash/sha1*.c", "hash/sha256*.c"),
    *("mode/c*.c", "mode/hmac.c", "mode/xcbc_mac.c", "mode/double_block.c"),
    *("cipher/aes128*.c", "cipher/skipjack*.c", "util/*.c"),
)
DOUBLES = ("link", "store")
"""What mk/fuzz.mk links into a target, and the rooms of the doubles that stand in for a board."""


@dataclass(frozen=True, slots=True)
class Defect:
    """A line of the stack, and the line that replaces it."""

    target: str
    what: str
    source: str
    old: str
    new: str
    runs: int = RUNS
    """Executions that are enough: more than ten times what five seeds needed on average."""


ASN_KEEP = """\
pib->asn_kept == next ? next : step;
    wm_status status = WM_ERR_STORAGE;

    /* A PIB that has kept nothing may be a second one since the store was opened. */
    if (pib->asn_kept != 0 || pib->asn_slot == WM_SLOT_VOLATILE ||
        (pib->store != NULL && is_new_step(pib, step))) {"""
"""What asks whether a step may have been used before."""

DEFECTS = (
    Defect("parse", "an ASH may end an octet late", "link/ieee802154.c", "left < *used", "left + 1 < *used"),
    Defect("unsecure", "a refused frame stays", "link/link_security.c", "wm_wipe(frame + map->header_ie", "(void)(0"),
    Defect("refused", "only a tag's last octet counts", "util/ct.c", "diff |= ", "diff = "),
    Defect("ie", "an IE may end an octet late", "link/ie.c", "len > list->left", "len > list->left + 1u"),
    Defect("eb", "an IE may come twice", "link/eb.c", "(*seen & kind) != 0", "(*seen & kind) > SEEN_ALL"),
    Defect("tsch", "an earlier ASN is believed", "link/tsch_admit.c", "wm_asn_less(job->asn, asn) ||", "false ||"),
    Defect("tsch", "a counter without MIC is believed", "link/tsch_frames.c",
           "status == WM_OK && tsch", "status != WM_NOT_SECURED && tsch"),
    Defect("tsch", "a node starts twice", "link/tsch.c", "tsch->state != WM_TSCH_OFF", "false"),
    Defect("tsch", "an Enh-Ack without MIC moves time", "link/tsch_slot.c", "taken != WM_NOT_AUTHENTICATED",
           "true"),
    Defect("tsch", "any PAN will do", "link/tsch_admit.c",
           "mhr->dst_pan != tsch->config.pan ||\n        mhr->src_pan != tsch->config.pan", "false"),
    Defect("counters", "limits are rounded down", "store/counter_store.c", "EXHAUSTED : limit + store->block",
           "EXHAUSTED : limit"),
    Defect("counters", "a record counts before its last unit", "store/counter_place.c", "if (all_ones(last, unit))",
           "if (false)"),
    Defect("counters", "a header's last unit may be any", "store/counter_place.c", "!exact || same(last, octets, unit)",
           "true", 5 * RUNS),
    Defect("incoming", "a neighbour in another PAN answers", "link/security_incoming.c",
           "a->pan == b->pan && ", "", 50 * RUNS),
    Defect("incoming", "a link key answers for any device", "link/security_incoming.c", "!is_peer(in) ?", "false ?",
           50 * RUNS),
    Defect("incoming", "a frame comes twice", "link/security_incoming.c", "< least->next", "+ 1u < least->next"),
    Defect("incoming", "any level is proper", "link/security_policy.c", "if (allowed) {", "if (allowed || level) {"),
    Defect("outgoing", "what was not restored goes on", "store/counter_store.c", "return next >= limit &&",
           "return next + store->block > limit &&"),
    Defect("outgoing", "an ASN need not be restored", "link/security_procedures.c",
           ASN_KEEP, "~1u;\n    wm_status status;\n    if (true) {"),
    Defect("outgoing", "a counter is used twice", "link/security_outgoing.c", "next = counter + 1u", "next = counter"),
    Defect("tinysec", "a tag's first octet counts for nothing", "tinysec/tinysec_receive.c",
           "wm_ct_diff(tag, end, sizeof tag)", "wm_ct_diff(tag + 1, end + 1, sizeof tag - 1)", 20 * RUNS),
    Defect("tinysec", "a packet comes twice", "tinysec/tinysec_replay.c", "counter < sender->next",
           "counter + 1 < sender->next", 20 * RUNS),
    Defect("tinysec", "any policy takes plain packets", "tinysec/tinysec_receive.c", "node->accept == other", "false"),
    Defect("tinysec", "a length may be any", "tinysec/tinysec_receive.c", "read_length(receiver) > WM_TINYSEC_DATA_MAX",
           "read_length(receiver) > TINYSEC_LENGTH"),
    Defect("tinysec", "a link takes another's AE", "tinysec/tinysec_keyring.c", "|| keys->peer == src", "|| true",
           20 * RUNS),
    Defect("lowpan", "a packet has room without end", "net/lowpan_expand.c", "x->size - x->at < n", "false", 5 * RUNS),
    Defect("lowpan", "a wrong checksum is left out", "net/lowpan_compress.c", "w->elide && is_right(w)", "w->elide",
           20 * RUNS),
    Defect("lowpan_fragments", "a sender may have all slots", "net/lowpan_reassembly.c",
           "own >= reassembly->per_sender ?", "own > reassembly->per_sender ?", 5 * RUNS),
    Defect("tinysec", "the first key alone is tried", "tinysec/tinysec_keyring.c",
           "while (status == WM_ERR_SECURITY) {", "while (false) {", 20 * RUNS),
    Defect("csma", "any ack will do", "link/csma.c", " && frame[SEQ_AT] == mac->seq", ""),
    Defect("csma", "seven senders are known", "link/csma.c", "at < WM_CSMA_SENDERS - 1",
           "at < WM_CSMA_SENDERS - 2", 5 * RUNS),
    Defect("csma", "retries do not end", "link/csma.c", "mac->sent > WM_CSMA_MAX_RETRIES", "false"),
    Defect("ah", "a packet comes twice", "net/ipsec_sequence.c", "*octet |= bit;", ";"),
    Defect("ah", "the window moves before the ICV", "net/ipsec_unsecure.c",
           "wm_ipsec_window(sa, sequence, false)", "wm_ipsec_window(sa, sequence, true)"),
    Defect("esp", "the window has no end", "net/ipsec_sequence.c", "behind == WINDOW ||", ""),
    Defect("esp", "a refused packet stays", "net/ipsec_unsecure.c", "wm_wipe(packet, *len);", ";"),
    Defect("esp", "padding stays", "net/ipsec_esp.c", "(uint16_t)(payload - pad)", "payload"),
    Defect("nwk", "a frame comes twice", "zigbee/zigbee_senders.c", "aux->counter < sender->next",
           "aux->counter + 1 < sender->next"),
    Defect("nwk", "a sender goes back to an older key", "zigbee/zigbee_senders.c",
           "return wm_zigbee_newer(aux->sequence, sender->sequence) ?", "return true ?", 5 * RUNS),
    Defect("nwk", "the old key stays after the switch", "zigbee/zigbee_rollover.c",
           "nwk->keys[nwk->active].cipher = NULL;", ";", 5 * RUNS),
    Defect("nwk", "a refused frame stays", "zigbee/zigbee_frame.c", "wm_wipe(frame + layout->aux_at", "(void)(0"),
    Defect("aps", "a frame comes twice", "zigbee/zigbee_links.c", "counter < link->next", "counter + 1 < link->next"),
    Defect("aps", "a link waits for ever", "zigbee/zigbee_links.c", "wm_copy8(link->address, source);",
           "(void)source;"),
    Defect("aps", "what is left of a command stays", "zigbee/zigbee_command.c",
           "wm_wipe(command, sizeof *command);", ";"),
    Defect("ipsec", "ESP in AH is not opened", "net/ipsec_unsecure.c", "number >= WM_IPV6_ESP", "number > WM_IPV6_ESP"),
)  # fmt: skip


def objects(root: Path, target: str, source: str) -> list[str]:
    """The objects that `make fuzz-targets` linked into a target, without one source."""
    folder = root / "build/fuzz/obj"
    stack = (path for pattern in SOURCES for path in (root / "stack/src").glob(pattern))
    shared = (
        path for path in (root / "tests/fuzz").glob("*.c") if not path.name.startswith("fuzz_")
    )
    sources = [
        *(path for path in stack if not path.as_posix().endswith(f"src/{source}")),
        *(path for room in DOUBLES for path in (root / "tests/stack" / room).glob("*_double.c")),
        *shared,
        root / f"tests/fuzz/fuzz_{target}.c",
    ]
    found = [(folder / path.relative_to(root)).with_suffix(".o") for path in sources]
    missing = [path for path in found if not path.is_file()]
    if missing:
        pytest.fail(f"{missing[0]} is missing: run `make fuzz-targets`")
    return [str(path) for path in found]


def build(root: Path, folder: Path, defect: Defect) -> Path:
    """The target with the defect."""
    text = (root / "stack/src" / defect.source).read_text(encoding="utf-8")
    assert text.count(defect.old) == 1, f"stack/src/{defect.source} has not one `{defect.old}`"
    changed = folder / Path(defect.source).name
    changed.write_text(text.replace(defect.old, defect.new), encoding="utf-8")
    made, program = folder / "changed.o", folder / f"fuzz_{defect.target}"
    compile_ = [
        "clang-22",
        *FLAGS,
        f"-I{(Path('stack/src') / defect.source).parent}",
        f"-fsanitize=fuzzer-no-link,{SANITIZERS}",
        "-c",
        str(changed),
        "-o",
        str(made),
    ]
    subprocess.run(compile_, cwd=root, check=True)
    others = objects(root, defect.target, defect.source)
    link = ["clang-22", f"-fsanitize=fuzzer,{SANITIZERS}", str(made), *others, "-o", str(program)]
    subprocess.run(link, cwd=root, check=True)
    return program


@pytest.mark.parametrize("defect", DEFECTS, ids=lambda defect: f"{defect.target}: {defect.what}")
@pytest.mark.turns(3)
def test_a_defect_is_found(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, defect: Defect
) -> None:
    """The run ends with exit code 1 and an input that stops the target with the defect, and not the
    one without."""
    program = build(root, tmp_path, defect)
    monkeypatch.setattr(fuzz, "BUILD", tmp_path)
    assert fuzz.main(["run", defect.target, "--runs", str(defect.runs), "--seed", "1"]) == 1
    (finding,) = fuzz.findings_of(defect.target)
    for binary, stopped in ((program, True), (root / f"build/fuzz/fuzz_{defect.target}", False)):
        environment = {"ASAN_OPTIONS": "detect_leaks=0"}
        done = subprocess.run(
            [binary, finding], env=environment, capture_output=True, text=True, check=False
        )
        assert (done.returncode != 0) == stopped, done.stderr[-2000:]
