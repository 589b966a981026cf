# SPDX-License-Identifier: BSD-3-Clause
"""What an event loop, a tick and a listening radio cost an operation that only computes, on the
emulated mote."""
