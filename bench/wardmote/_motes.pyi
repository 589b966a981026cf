# SPDX-License-Identifier: BSD-3-Clause
"""The instrument: emulated motes in one medium, and calls of functions in ELF files."""

from collections.abc import Mapping, Sequence
from typing import Literal, TypedDict, final

SOURCES: str
"""Digest of the Rust sources that this extension is built from."""

def factory_bits(board: str) -> int:
    """How many bits the number has that a board carries from its factory; 0: it carries none.
    ValueError for a name that is no board's."""

def record_text(board: str) -> str:
    """The record of a board as TOML, as the emulated one has it, with what it has from the board
    that it is like. ValueError for a name that is no board's."""

class MoteError(Exception):
    """A program or a mote failed, or a file is not for it; the text is one line with PC, symbol and
    cycle."""

class MeterRow(TypedDict):
    """Time and charge of one device in one state."""

    device: str
    state: str
    clock_hz: int
    seconds: float
    current_ma: float
    charge_uc: float
    energy_uj: float
    source: str
    kind: str

class CpuState(TypedDict):
    """Where a CPU is."""

    pc: int
    symbol: str
    cycles: int
    clock_hz: int
    asleep: bool
    resets: int
    last_reset: str | None

class Inside(TypedDict):
    """What is in a mote besides its memory."""

    registers: list[int]
    """Of the CPU, in the order of gdb."""
    radio: dict[str, bytes]
    """The radio's memory by its parts: `TXFIFO`, `RXFIFO`, of a CC2420 `security` too; empty for a
    radio without."""

@final
class Debugger:
    """A port at which gdb may attach to a mote. While gdb has stopped it, no time passes for any
    mote."""

    def __new__(cls, simulation: Simulation, i: int, port: int = 0) -> Debugger:
        """Listens at a port of this computer, at any free one if it is 0; raises OSError."""

    @property
    def port(self) -> int:
        """Where it listens."""

    def run_until(self, ps: int) -> bool:
        """Lets time pass until `ps` as gdb lets it, which it waits for; once gdb has detached, time
        passes freely. False if gdb has killed the program."""

@final
class Simulation:
    """Motes in one medium. Same seed, same images, same calls: the same trace."""

    def __new__(cls, seed: int = 0, distance_m: float = 10.0, loss: float = 0.0) -> Simulation: ...
    def add_mote(
        self,
        board: str,
        elf: bytes,
        name: str,
        *,
        ppm: float = 0.0,
        clock_hz: int | None = None,
        supply_v: float | None = None,
        band: Literal["low", "high"] | None = None,
        changes: Mapping[str, float] | None = None,
        octets_at: int | None = None,
        identity: int | None = None,
    ) -> int:
        """Adds a mote with an image: ELF, Intel HEX or S-records, told apart by their first octets;
        its index. Boards are `telosb` and `openmote-cc2538`, any
        mix of which can talk, and `atmega128` and `atmega1281`, bare chips without radio.

        `ppm` is the deviation of the crystals. `clock_hz` on `telosb` is a tap of the DCO, 100 kHz
        to 8 MHz, 8 MHz if it is not given; on `openmote-cc2538` the image selects its clock, and
        one that is neither 32 nor 16 MHz is refused; on bare chips it is the crystal, 32 768 Hz to
        16 MHz, 8 MHz if it is not given. `supply_v` is the supply at which charge and energy are
        counted, that of the board's record if it is not given; whether it allows the clock is not
        asked here. `band` is the timing of core and flash: `low` or `high` on
        `openmote-cc2538`, `high` if not given; the others have none, their timing is exact. `changes`
        are numbers that this specimen has instead of those of the board's record, by their places
        in it, for example `timing.cc2538.aes_block`. `identity` is the number that the board carries
        from its factory: the IEEE address of a CC2538, the 48-bit serial number of the DS2411 on
        `telosb`; if it is not given, it follows from the seed. Other boards carry none.
        ValueError says what a board does not have.
        """
    def add_station(
        self,
        name: str,
        *,
        channel: int = 26,
        pan: int = 0xFFFF,
        short: int = 0xFFFF,
        extended: bytes | None = None,
        power_dbm: int = 0,
    ) -> int:
        """Adds a radio of IEEE 802.15.4 that is driven from here; its index, which it has in the
        order of motes, and by which links are set.

        It listens from time 0 on, whenever it does not send, to every frame in range; it receives
        as well as a CC2420. It acknowledges after 192 us what asks for it, is of version 0 or 1 and
        is to `pan` and one of its addresses; `extended` is most significant octet first.
        """
    def send(
        self, i: int, mpdu: bytes, *, at_ps: int | None = None, csma: bool = True, times: int = 4
    ) -> int:
        """Station `i` sends a frame, to which it adds the FCS, behind those that wait; the frame's
        number.

        With `csma` it looks at the channel from `at_ps` on, by unslotted CSMA-CA with the values of
        IEEE 802.15.4-2015; without, the first preamble symbol is at `at_ps`, 192 us ahead at least.
        What asks for an acknowledgement is sent until one comes, `times` times at most.
        """
    def heard(self, i: int) -> list[tuple[int, int, int, bytes, bool]]:
        """What station `i` heard since the last call, acknowledgements too: (end of the delimiter
        in picoseconds, end of the frame, dBm, PSDU as received with its FCS, whether every octet
        and the FCS are right).

        Of a frame that was cut short there is what had come.
        """
    def sent(self, i: int) -> list[tuple[int, int, int, str]]:
        """What became of frames of station `i` since the last call: (number, picoseconds, times on
        the air, `sent`, `acknowledged`, `no acknowledgement` or `busy`)."""
    def run_until_news(self, stations: Sequence[int], limit_ps: int) -> bool:
        """Runs until one of these stations has something for `heard` or `sent`, at most until
        `limit_ps`. True if one has. It stops up to 128 us behind what it saw."""
    def write(self, i: int, address: int, data: bytes) -> None:
        """Writes memory of a mote, flash included, as a programmer would."""
    def read(self, i: int, address: int, length: int) -> bytes:
        """Reads memory of a mote."""
    def symbol(self, i: int, name: str) -> tuple[int, int]:
        """(address, octets) of a symbol in a mote's executable."""
    def set_node_id(self, i: int, node_id: int, *, address: int | None = None) -> None:
        """Gives a mote the identity that programs of TinyOS keep as initialised data, before time
        passes: TOS_LOCAL_ADDRESS in 1.x, TOS_NODE_ID and the address of active messages in 2.x.

        `address` is where a programmer writes it, for an image without symbols.
        """
    def serial(self, i: int) -> list[tuple[int, int, int]]:
        """Characters that a mote has sent on its serial lines since the last call: (end of its stop
        bit in picoseconds, line, octet). Lines have the numbers of the UARTs."""
    def fit_coprocessor(
        self,
        i: int,
        core: str = "fast",
        *,
        clock_hz: int = 8_000_000,
        baud: int = 38_400,
        line: int = 0,
        place: Literal["before", "behind", "peripheral"] = "before",
    ) -> None:
        """Puts the AES coprocessor of hdl/ on a serial line of a mote, before it is talked to. Both of
        its lines have `baud`, rounded to whole clocks a bit.

        `before` the USART, as in the ZigBee study: what `send_serial` sends goes through it, and what
        it gives goes to the USART; what the mote sends on that line passes it by. `behind` it: what
        the mote sends goes through it, and what it gives is in `serial`; `send_serial` talks to it,
        while the mote is silent. As a `peripheral`: the mote talks to it and has its answers.
        `misuse` tells when it lost an octet, or when two talked at once. ValueError for a board that
        is not an ATmega's, another core than fast, small or masked, or a rate with less than 4 clocks
        a bit.
        """
    def send_serial(self, i: int, octets: bytes, *, baud: int = 57_600, line: int = 0) -> None:
        """From now on the other end of a mote's serial line sends these characters, behind what it
        sends already: a start bit, eight data bits and a stop bit each.

        A USART with another baud rate loses them, which `misuse` tells; in a sleep deeper than idle
        they are lost.
        """
    def copy(self) -> Simulation:
        """A copy of all motes and of what is on the air; it goes on as this one would."""
    def follow(self, i: int) -> None:
        """From now on every instruction of a mote's program is counted. That takes time, and changes
        nothing for the mote."""
    def stacks(self, i: int) -> list[tuple[list[str], int]]:
        """Cycles by stacks of functions, the outermost first; empty if the mote is not followed. What
        lies outside every function is `[no symbol]`."""
    def calls(self, i: int) -> list[tuple[int, int]]:
        """First instructions of functions since then, and how often they were called, also by an
        interrupt or by a jump."""
    def executed(self, i: int) -> list[tuple[int, int, int]]:
        """Instructions that were executed since then: (address, times, cycles), in the order of their
        addresses."""
    def set_distance(self, one: int, other: int, distance_m: float) -> None:
        """From now on two motes are this far apart, 0 to 1000000 m. A path loss that was set between
        them no longer counts."""
    def run_for(self, ps: int) -> None:
        """Lets time pass, in picoseconds."""
    def run_until(self, ps: int) -> None:
        """Lets time pass until `ps`, in picoseconds since power-on."""
    def run_while(self, i: int, address: int, size: int, less_than: int, limit_ps: int) -> bool:
        """Runs while the little-endian unsigned integer at `address` is below `less_than`, at most
        until `limit_ps`.

        True if it reached `less_than`. Looked at every millisecond at least.
        """
    def run_to(self, i: int, address: int, limit_ps: int) -> bool:
        """Lets time pass until mote `i` is about to execute the instruction at `address`, after at
        least one other one. True if it is there before `limit_ps`."""

    def press_button(self, i: int, pressed: bool) -> None:
        """From now on somebody presses the user button of a mote, or lets it go. ValueError for a
        board without one."""
    def watch_pin(self, i: int, port: int, bit: int) -> None:
        """From now on edges of this output are in `marks` of mote `i`, too. Ports count as there."""

    @property
    def now_ps(self) -> int:
        """Time since power-on, in picoseconds."""
    def marks(self, i: int) -> list[tuple[int, int, bool, int, int]]:
        """Edges of the watched pins since the last call: (port, bit, level, CPU cycle,
        picoseconds).

        Ports of `telosb` are 1 to 6: P2.0, P2.1, P2.3, P2.6 and P6.0 are watched. Ports of
        `openmote-cc2538` are 0 to 3 for A to D: PC4 to PC7 and PD3 are watched. Ports of bare chips
        are 0 to 6 for A to G; all are watched.
        """
    def misuse(self, i: int) -> list[tuple[int, str]]:
        """What the program did against a data sheet, without effect, since the last call:
        (picoseconds, what and at which instruction)."""
    def meter(self, i: int) -> list[MeterRow]:
        """Time, charge and energy of every device in every state so far."""
    def states(self, i: int) -> list[tuple[int, str, str, int, float]]:
        """Changes of state of a mote's devices since the last call: (picoseconds, device, state,
        clock in Hz, mA).

        The first call begins to record them, and gives the state that each device is in.
        """
    def set_loss(self, sender: int, receiver: int, loss: float) -> None:
        """From now on mote `receiver` does not decode this part, 0 to 1, of what mote `sender`
        sends, at random by the seed of the simulation."""
    def set_path_loss(self, sender: int, receiver: int, path_loss_db: float) -> None:
        """From now on what mote `sender` begins to send reaches mote `receiver` weaker by this much;
        `math.inf`: not at all.

        Without it the link is ten metres of free space, or `distance_m` of them. The time of flight
        follows from that distance in any case.
        """
    def inject(self, channel: int, at_ps: int, psdu: bytes, *, power_dbm: int = 0) -> None:
        """Sends a frame that no mote sends; every mote hears it.

        Its first preamble symbol is at `at_ps`, at least 128 us ahead; `psdu` has its FCS, right or
        wrong. ValueError says what cannot be sent.
        """
    def power_cut(
        self,
        i: int,
        seed: int,
        *,
        at_ps: int | None = None,
        operation: int | None = None,
        part: float = 0.5,
    ) -> None:
        """Power of mote `i` fails at `at_ps`, or in the operation of its flash, or of an ATmega128's
        EEPROM, that follows `operation` others from now on, when `part` (0 to below 1) of its time
        has passed; the mote is silent from then on.

        What was being programmed or erased is left with an arbitrary part of its bits changed, an
        octet of an EEPROM and RAM with anything; all follow from `seed`. Flash, and the EEPROM at
        0x810000, can be read and written into a mote of a new simulation, which is the reboot.
        ValueError for a board whose power cuts are not modelled: one with a CC2538.
        """
    def break_engine(self, i: int, fault: Literal["deaf", "late", "echo", "dark"] | None) -> None:
        """From now on the encryption engine of mote `i` has a defect; None mends it.

        `deaf` ignores what would start it. `late` is busy a second longer at each step. `echo` says
        that it has done its work and leaves data and tag as they were. `dark` gets no clock from
        the next power-down on. ValueError for a board without an engine.
        """
    def powered(self, i: int) -> bool:
        """False after a power cut."""
    def wear(self, i: int) -> list[tuple[int, int, int]]:
        """Segments of flash that mote `i`'s program has written: (first address, erasures, octets
        and words written).

        Counted from power-on, what was interrupted included; empty for a board that does not count.
        """
    def inside(self, i: int) -> Inside:
        """What is in a mote besides its memory now."""
    def cpu(self, i: int) -> CpuState:
        """Where a mote's CPU is."""
    def capture(
        self, i: int | None = None, asn_symbol: str | None = None, asn_offset: int = 0
    ) -> None:
        """Captures what all motes send from now on.

        What mote `i` sends has the ASN that is read from its memory, 5 octets, most significant
        first, `asn_offset` octets into `asn_symbol`. ValueError for one of the two alone.
        """
    def frames(self) -> list[tuple[int, int, int, bytes, bool]]:
        """Everything on the air since the capture began: (mote, picoseconds, channel, octets,
        complete).

        The medium of the radio numbers the channels and says what a capture keeps of a frame. With
        IEEE 802.15.4 these are channels 11 to 26 and the PSDU with its FCS.
        `mote` of an injected frame is the number of motes. What a mote's transmitter stopped
        sending before its end is not complete: its PSDU is what had left, without FCS.
        """
    def pcap(self, link_type: int | None = None) -> bytes:
        """The capture so far as a pcap file.

        Frames of IEEE 802.15.4 have link type 283 (TAP). ValueError if radios of several link types
        are there and none is chosen.
        """

@final
class CallResult:
    """What a call did."""

    value: int
    cycles: int
    instructions: int
    stack_octets: int
    buffers: list[bytes]
    pc_trace_hash: int
    address_trace_hash: int
    pc_trace: list[int]
    cycle_trace: list[int]
    """Cycles since the call began, after each instruction of `pc_trace`."""
    sp_trace: list[int]
    """Stack pointer after each instruction of `pc_trace`."""
    address_trace: list[tuple[int, bool]]
    access_pcs: list[int]
    """The instruction of each data access."""
    branches: list[tuple[int, int, int]]
    dependences: list[tuple[int, Literal["branch", "address", "time"], int]]
    """Of a followed call: instructions, how they show secrets, and which, one bit for each."""

@final
class Program:
    """An executable whose functions can be called. Its memory persists from call to call."""

    def __new__(
        cls,
        elf: bytes,
        *,
        core: str | None = None,
        timing: Literal["low", "high", "flash"] | None = None,
    ) -> Program:
        """Loads an executable for the MSP430, the AVR or a Cortex-M.

        `core` is for the Cortex-M only: `cortex-m0plus`, `cortex-m4`, or `armv7m`, a Cortex-M3, if
        it is not given. `timing` is for a Cortex-M3 and a Cortex-M4: `low` and `high` are the ends
        of the core's band without wait states, `flash` is `high` with one wait state for every
        line of flash that is not in the line buffer; `high` if it is not given.
        """
    def call(
        self,
        symbol: str,
        args: Sequence[int | tuple[int, int] | bytes | bytearray] = (),
        *,
        cycle_limit: int = 100_000_000,
        trace: Literal["off", "hash", "full"] = "off",
        buffers: Sequence[tuple[int, int, str, int | None]] | None = None,
        secrets: Sequence[int] = (),
        published: Sequence[int] = (),
    ) -> CallResult:
        """Calls a function.

        An int is one machine word, (int, octets) an integer of that width, octets are passed by
        address; a bytearray receives what the function left in it.

        With `buffers`, the call is followed: their address, octets, name, and what they depend on
        (`None`: what they did before). An access to an octet that is in none, in no object and not
        in the stack is a fault. `secrets` has a set for each argument. What the functions at the
        addresses `published` return is public. `trace` does not matter then: hashes are recorded,
        and `branches` has every condition.
        """
    def mark_secret(self, address: int, octets: int, secrets: int) -> None:
        """Octets of memory depend on these secrets from now on."""
    def symbols(self) -> dict[str, tuple[int, int, bool]]:
        """Name -> (address, octets, is a function)."""
    def symbol(self, name: str) -> tuple[int, int]:
        """(address, octets) of a symbol."""
    def describe(self, address: int) -> str:
        """The function at an address, with the offset into it."""
    def sizes(self) -> tuple[int, int, int]:
        """Octets of code and constants, of initialised variables, of variables that begin as
        zero."""
    def allocate(self, octets: int, align: int = 4) -> int:
        """RAM that stays until `release` or `reset`; its address."""
    def mark(self) -> int:
        """First free address, for `release`."""
    def release(self, mark: int) -> None:
        """Drops what was allocated since `mark`."""
    def reset(self) -> None:
        """Memory as start-up code leaves it; nothing allocated."""
    def read(self, address: int, length: int) -> bytes:
        """Copies octets out of memory."""
    def write(self, address: int, octets: bytes) -> None:
        """Copies octets into memory."""
