# SPDX-License-Identifier: BSD-3-Clause
"""Programs for the OpenMote-CC2538 that tests of the instrument compile."""

MICROSECOND = 1_000_000
MILLISECOND = 1_000 * MICROSECOND
SECOND = 1_000 * MILLISECOND
TICK = SECOND / 32768

BOARD = "openmote-cc2538"
PORT_C = 2
PORT_D = 3

# Start-up and register names: what the programs below share. @VECTORS@ is more of the vector table.
COMMON = """
#define R(address) (*(volatile uint32_t *)(address))
#define SYS_CTRL 0x400D2000
#define CLOCK_CTRL R(SYS_CTRL)
#define CLOCK_STA R(SYS_CTRL + 4)
#define PMCTL R(SYS_CTRL + 0x58)
#define IWE R(SYS_CTRL + 0x94)
#define ST0 R(0x400D5040)
#define STLOAD R(0x400D5050)
#define LEDS(mask) R(0x400DB000 + ((mask) << 2))
#define LEDS_DIR R(0x400DB400)
#define HEADER(mask) R(0x400DC000 + ((mask) << 2))
#define HEADER_DIR R(0x400DC400)
#define SCR R(0xE000ED10)
extern int main(void);
@HANDLERS@
__attribute__((naked)) void start(void)
{
    __asm__ volatile("b main");
}
__attribute__((section(".vectors"), used, aligned(512))) void (*const vectors[163])(void) = {
    [0] = (void (*)(void))0x20008000, [1] = start, @VECTORS@
};
__attribute__((section(".cca"), used)) static const struct {
    uint32_t loader, valid;
    const void *vectors;
    uint32_t lock[8];
} cca = {~0u, @VALID@, vectors, {~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u}};
static inline void begin(void)
{
    R(0xE000ED08) = (uint32_t)vectors;
    LEDS_DIR = 0xF0;
    HEADER_DIR = 0x08;
}
/* 32 MHz from the crystal, and the 32 768 Hz crystal */
static inline void crystal(uint32_t divider)
{
    CLOCK_CTRL = 1 << 21 | 1 << 17 | divider << 8 | divider;
    while (CLOCK_STA & (1 << 16))
        ;
}
static inline void sleep_timer_at(uint32_t tick)
{
    while (!(STLOAD & 1))
        ;
    R(0x400D504C) = tick >> 24;
    R(0x400D5048) = tick >> 16 & 0xFF;
    R(0x400D5044) = tick >> 8 & 0xFF;
    ST0 = tick & 0xFF;
}
static inline uint32_t sleep_timer(void)
{
    uint32_t tick = ST0 & 0xFF;
    tick |= (R(0x400D5044) & 0xFF) << 8;
    tick |= (R(0x400D5048) & 0xFF) << 16;
    return tick | R(0x400D504C) << 24;
}
"""

SLEEP_TIMER_LINE = 145


def program(body: str, handlers: str = "", vectors: str = "", valid: str = "0") -> str:
    """A whole program: `handlers` come before the vector table, `vectors` are its further
    entries."""
    text = (
        COMMON.replace("@HANDLERS@", handlers)
        .replace("@VECTORS@", vectors)
        .replace("@VALID@", valid)
    )
    return text + body


def ticking(mode: int) -> str:
    """Wakes every 328 ticks of the 32 768 Hz crystal and toggles PC4; sleeps in power mode
    `mode`."""
    return program(
        """
int main(void)
{
    begin();
    count = 0;
    crystal(0);
    IWE = 1 << 5;
    PMCTL = @MODE@;
    SCR = @MODE@ ? 4 : 0;
    R(0xE000E110) = 1 << (145 - 128);
    next = sleep_timer() + 328;
    sleep_timer_at(next);
    for (;;)
        __asm__ volatile("wfi");
}
""".replace("@MODE@", str(mode)),
        handlers="""
volatile uint32_t count;
static uint32_t next;
static inline void sleep_timer_at(uint32_t tick);
void tick(void)
{
    count++;
    LEDS(0x10) = count & 1 ? 0x10 : 0;
    next += 328;
    sleep_timer_at(next);
}
""",
        vectors="[16 + 145] = tick",
    )


# Register names of the RF core, and its start on channel 11 without frame filtering.
RADIO = """
#define RF(offset) R(0x40088000 + (offset))
#define RFST RF(0x838)
static void radio_on(void)
{
    begin();
    crystal(0);
    R(SYS_CTRL + 0xA8) = 1;
    RF(0x600) = 0x0C;
    RF(0x624) = 0x40;
    RF(0x63C) = 11;
}
"""

SENDER = program(
    RADIO
    + """
volatile uint8_t asn[5];
static const uint8_t frame[] = {9, 0x01, 0x80, 0x05, 0xAA, 0xBB, 0xCC, 0xDD};
static uint32_t sfd(void) { return RF(0x64C) & (1 << 5); }
int main(void)
{
    asn[0] = 0, asn[1] = 1, asn[2] = 2, asn[3] = 3, asn[4] = 4;
    radio_on();
    for (volatile uint32_t i = 0; i < 20000; i++)
        ;
    for (uint32_t turn = 0; turn < 3; turn++) {
        RFST = 0xEE;
        for (uint32_t i = 0; i < sizeof frame; i++)
            RF(0x828) = frame[i];
        HEADER(8) = 8;
        RFST = 0xE9;
        while (!sfd())
            ;
        LEDS(0x10) = 0x10;
        while (sfd())
            ;
        LEDS(0x10) = 0;
        HEADER(8) = 0;
        asn[4]++;
        for (volatile uint32_t i = 0; i < 5000; i++)
            ;
    }
    for (;;)
        __asm__ volatile("wfi");
}
"""
)

RECEIVER = program(
    RADIO
    + """
volatile uint32_t frames;
uint8_t received[16];
int main(void)
{
    frames = 0;
    radio_on();
    RFST = 0xE3;
    for (;;) {
        while (!(RF(0x64C) & (1 << 6))) /* FIFOP */
            ;
        LEDS(0x10) = 0x10;
        uint32_t length = received[0] = (uint8_t)RF(0x828);
        for (uint32_t i = 1; i <= length; i++)
            received[i & 15] = (uint8_t)RF(0x828);
        LEDS(0x10) = 0;
        frames++;
    }
}
"""
)
