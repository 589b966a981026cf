# SPDX-License-Identifier: BSD-3-Clause
"""Where the explorer shows a case: the address has one word for each choice."""

from urllib.parse import urlencode

from wardmote.rows import SlotRow

EXPLORER = "explorer.html"
CHOICES = {
    "board": "board",
    "strategy": "strategy",
    "level": "level",
    "definition": "definition",
    "clock": "clock_hz",
    "supply": "supply_v",
    "turnaround": "turnaround_us",
    "ash": "ash_octets",
    "frame": "frame_octets",
    "guard": "ts_rx_guard_ticks",
}
"""Fields of a row by the words of the address."""


def place(row: SlotRow) -> str:
    """The address of a case, within the report's folder."""
    words = {word: f"{getattr(row, field)}" for word, field in CHOICES.items()}
    return f"{EXPLORER}#{urlencode(words)}"
