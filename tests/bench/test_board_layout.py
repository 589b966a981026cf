# SPDX-License-Identifier: BSD-3-Clause
"""Memory and pins of the boards, and what the instrument knows of their CPUs, typed a second time
from schematics and manuals. No number of these records is without a second copy."""

import tomllib
from typing import Any

import pytest

from wardmote.boards import BOARDS, SLOT_BOARDS, board_data
from wardmote.cpus import CPUS, MEASURED
from wardmote.paths import CPU_RECORDS

KIB = 1024
# Octets of flash and of RAM by the features of each data sheet: MSP430F1611 48 KB and 10 KB, CC2538
# with 512 KB and 32 KB, ATmega128 128 KB and 4 KB, ATmega1281 128 KB and 8 KB.
MEMORY = {
    "telosb": (48 * KIB, 10 * KIB),
    "openmote-cc2538": (512 * KIB, 32 * KIB),
    "atmega128": (128 * KIB, 4 * KIB),
    "atmega1281": (128 * KIB, 8 * KIB),
    "mica2": (128 * KIB, 4 * KIB),
    "micaz": (128 * KIB, 4 * KIB),
    "atmega1281-cc2420": (128 * KIB, 8 * KIB),
    "openmote-b": (512 * KIB, 32 * KIB),
    "firefly": (512 * KIB, 32 * KIB),
}
# The Tmote Sky's schematic: the pins between processor and radio. USART 0 has SIMO, SOMI and UCLK on
# P3.1, P3.2 and P3.3.
TELOSB_RADIO = {
    "usart": 0,
    "simo": "3.1",
    "somi": "3.2",
    "uclk": "3.3",
    "csn": "4.2",
    "vreg_en": "4.5",
    "resetn": "4.6",
    "fifop": "1.0",
    "fifo": "1.3",
    "cca": "1.4",
    "sfd": "4.1",
}
# The external flash shares that SPI; no image of a slot selects it.
TELOSB_FLASH = {"usart": 0, "csn": "4.4", "hold": "4.7"}
# The schematics of Mica2 and MICAz: ports A to G are 0 to 6. The Mica2's radio clocks the SPI, which is
# on PB1 to PB3, and its RSSI is on ADC0.
MICA2_RADIO = {"pale": "3.4", "pclk": "3.6", "pdata": "3.7", "rssi": 0}
MICAZ_RADIO = {
    "usart": 0,
    "csn": "1.0",
    "sck": "1.1",
    "mosi": "1.2",
    "miso": "1.3",
    "fifo": "1.7",
    "fifop": "4.6",
    "cca": "3.6",
    "sfd": "3.4",
    "vreg_en": "0.5",
    "resetn": "0.6",
}
LEDS = {(0, 0): "yellow", (0, 1): "green", (0, 2): "red"}
# The Tmote Sky's expansion connector has GIO0 to GIO3 on P2.0, P2.1, P2.3 and P2.6, and ADC0 on P6.0;
# the OpenMote's four LEDs are PC4 to PC7.
MARKS = {
    "telosb": {(2, 0): "sec1", (2, 1): "sec2", (2, 3): "sec3", (2, 6): "sec4", (6, 0): "slot"},
    "openmote-cc2538": {
        (2, 4): "sec1",
        (2, 5): "sec2",
        (2, 6): "sec3",
        (2, 7): "sec4",
        (3, 3): "slot",
    },
    "atmega128": {},
    "atmega1281": {},
    "mica2": LEDS,
    "micaz": LEDS,
    "atmega1281-cc2420": LEDS,
    # RIOT's board.h of the OpenMote-B, Contiki-NG's of the Firefly.
    "openmote-b": {(2, 4): "led0", (2, 7): "led1", (2, 6): "led2", (2, 5): "led3"},
    "firefly": {(3, 5): "red", (3, 4): "green", (3, 3): "blue"},
}
# Octets of int, long and a pointer, and the strictest alignment, by each CPU's ABI.
MODELS = {"msp430": (2, 4, 2, 2), "avr": (2, 4, 2, 1), "armv7m": (4, 4, 4, 8)}
# EM_MSP430, EM_AVR and EM_ARM of the ELF standard's list.
MACHINES = {"msp430": 105, "avr": 83, "armv7m": 40}
# Instructions as halfwords: calls, and what is nearest to each and calls nothing.
CALLS = {
    "msp430": [(0x12B0, 0x4400), (0x128A, 0), (0x1290, 0x10), (0x12BF, 0)],
    "avr": [(0xD000, 0), (0xDFFF, 0), (0x940E, 0x1234), (0x95FF, 0), (0x9509, 0), (0x9519, 0)],
    "armv7m": [(0xF000, 0xF800), (0xF7FF, 0xFFFE), (0xF400, 0xD000), (0x4780, 0), (0x47F0, 0)],
}
OTHERS = {
    "msp430": [(0x1240, 0), (0x12C0, 0), (0x1300, 0), (0x1084, 0), (0x4130, 0)],
    "avr": [(0xC000, 0), (0xE000, 0), (0x940C, 0x1234), (0x9508, 0), (0x9409, 0), (0x9518, 0)],
    "armv7m": [(0xF000, 0xB800), (0xF000, 0xC000), (0xE800, 0xD000), (0x4700, 0), (0x4781, 0),
               (0x4680, 0)],
}  # fmt: skip


def numbers(entry: dict[str, Any], path: str = "") -> set[str]:
    """Paths of every number and list of numbers of a record."""
    found: set[str] = set()
    for name, value in entry.items():
        here = f"{path}.{name}".lstrip(".")
        if isinstance(value, dict):
            found |= numbers(value, here)
        elif isinstance(value, int | float | list) and not isinstance(value, bool):
            found.add(here)
    return found


def test_memory() -> None:
    """Octets of flash and RAM."""
    found = {board.name: (board.flash_octets, board.ram_octets) for board in BOARDS.values()}
    assert found == MEMORY


def test_order() -> None:
    """Tables begin with the boards of the papers."""
    assert list(BOARDS) == [
        "telosb",
        "openmote-cc2538",
        "atmega128",
        "atmega1281",
        "mica2",
        "micaz",
        "atmega1281-cc2420",
        "openmote-b",
        "firefly",
    ]
    assert [board.order for board in BOARDS.values()] == [1, 2, 3, 4, 5, 6, 7, 8, 9]


def test_pins() -> None:
    """The wires of radios and flash, and the marks of the firmware."""
    for board, part, wires in (
        ("telosb", "cc2420", TELOSB_RADIO),
        ("telosb", "m25p80", TELOSB_FLASH),
        ("telosb", "ds2411", {"data": "2.4"}),
        ("telosb", "sht11", {"data": "1.5", "clock": "1.6", "power": "1.7"}),
        ("telosb", "button", {"pin": "2.7"}),
        ("openmote-b", "button", {"pin": "3.5"}),
        ("firefly", "button", {"pin": "0.3"}),
        ("mica2", "cc1000", MICA2_RADIO),
        ("micaz", "cc2420", MICAZ_RADIO),
        ("atmega1281-cc2420", "cc2420", MICAZ_RADIO),
    ):
        wiring = board_data(board)["wiring"][part]
        assert {name: pin for name, pin in wiring.items() if name != "source"} == wires
    assert {board.name: dict(board.marks) for board in BOARDS.values()} == MARKS


def test_states_between_slots() -> None:
    """Clocks and turnarounds that are shown beside the default, and what sleeps in which state."""
    turnarounds = {name: board_data(name)["slot"]["turnarounds_us"] for name in SLOT_BOARDS}
    # SWRS041: TXCTRL.TX_TURNAROUND chooses 8 or 12 symbols of 16 us.
    assert turnarounds == {"telosb": [12 * 16, 8 * 16], "openmote-cc2538": [12 * 16]}
    # The MAC timer counts 32 MHz, and overflows after 128 cycles.
    fine = {name: record.fine_tick_hz for name, record in SLOT_BOARDS.items()}
    assert fine == {"telosb": None, "openmote-cc2538": 32_000_000 // 128}
    telosb, openmote = BOARDS["telosb"], BOARDS["openmote-cc2538"]
    assert telosb.beside == (6_700_000, 4_194_304)
    assert openmote.beside == ()
    assert telosb.sleep[0] == ("cpu", "lpm3")
    assert openmote.sleep == (("cpu", "pm2"), ("radio", "off"))
    assert (telosb.radio, telosb.engine) == ("cc2420", None)
    assert (openmote.radio, openmote.engine) == ("radio", "aes")


def test_models_of_the_cpus() -> None:
    """Sizes, alignment, ELF machine, and what calls leave on the stack."""
    found = {
        name: (one.int_octets, one.long_octets, one.pointer_octets, one.max_align)
        for name, one in ((cpu.name, cpu.model) for cpu in CPUS.values())
    }
    assert found == MODELS
    assert {cpu.name: cpu.elf_machine for cpu in CPUS.values()} == MACHINES
    assert list(CPUS) == ["msp430", "avr", "armv7m"]
    # A return address: one word, one word of code, and none: Cortex-M3 has LR.
    assert {cpu.name: cpu.return_octets for cpu in CPUS.values()} == {
        "msp430": 2,
        "avr": 2,
        "armv7m": 0,
    }
    assert {name for name, cpu in CPUS.items() if cpu.model.short_enums} == {"armv7m"}
    assert {name: cpu.bands for name, cpu in CPUS.items() if cpu.bands} == {
        "armv7m": ("low", "high")
    }
    # avr-gcc: R8 to R25 hold arguments, R18 to R25 a result; ELF files have data from 0x800000 on.
    avr = CPUS["avr"]
    assert (avr.least_argument_octets, avr.result_octets) == (1, 25 - 18 + 1)
    assert (avr.data_space, avr.code_unit) == (0x800000, 2)
    # A pointer to a function of a Cortex-M has bit 0, for Thumb.
    assert {name: cpu.code_bits for name, cpu in CPUS.items() if cpu.code_bits} == {"armv7m": 1}


@pytest.mark.parametrize("cpu", MODELS)
def test_calls(cpu: str) -> None:
    """Calls assembled by hand are known as such, and their neighbours are not."""
    for halfwords, expected in [(one, True) for one in CALLS[cpu]] + [
        (one, False) for one in OTHERS[cpu]
    ]:
        octets = b"".join(word.to_bytes(2, "little") for word in halfwords)
        assert CPUS[cpu].is_call(octets) == expected, f"{halfwords[0]:04x} {halfwords[1]:04x}"


def test_options_of_a_core() -> None:
    """What compiles for a core of a family in place of the family's words."""
    found = {cpu.name: cpu.options for cpu in MEASURED.values() if cpu.options}
    assert found == {
        "cortex-m0plus": ("-mcpu=cortex-m0plus",),
        "cortex-m4": ("-mcpu=cortex-m4",),
    }


def test_no_number_of_a_cpu_is_left_out() -> None:
    """A number that a record gains needs a second copy here."""
    known = {"order", "elf_machine", "bands", "instructions.calls", "instructions.return_octets"}
    known |= {"options"}
    known |= {f"abi.{name}_octets" for name in ("int", "long", "pointer", "result")}
    known |= {f"abi.{name}" for name in ("max_align", "least_argument_octets", "data_space",
                                         "code_unit", "code_bits")}  # fmt: skip
    for path in CPU_RECORDS.glob("*.toml"):
        assert numbers(tomllib.loads(path.read_text(encoding="utf-8"))) <= known, path.stem


def test_no_number_of_a_board_is_left_out() -> None:
    """So does one that a board gains, outside the numbers that have a source of their own."""
    known = {"board.order", "board.flash_octets", "board.ram_octets", "board.images", "slot.beside"}
    known |= {"wiring.cc2420.usart", "wiring.cc1000.rssi", "slot.turnarounds_us"}
    known |= {"slot.fine_tick_hz"}
    # The SI7006 of the OpenMote-B answers to 0x40.
    assert board_data("openmote-b")["absent"]["si7006"]["address"] == 0x40
    known |= {"absent.si7006.address"}
    known |= {"wiring.m25p80.usart", "wiring.console.usart", "slot.untouched"}
    for board in BOARDS:
        record = board_data(board)
        rest = {
            name: value
            for name, value in record.items()
            if name not in ("supply", "supply_range", "clock_limit", "scaling", "current", "timing")
        }
        for name in ("clocks", "environment", "fuses"):  # test_board_data.py has them
            rest.pop(name, None)
        assert numbers(rest) <= known, board
