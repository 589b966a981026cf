# SPDX-License-Identifier: BSD-3-Clause
"""Programs of our own in the idioms of others: TinyOS, Contiki and RIOT."""
