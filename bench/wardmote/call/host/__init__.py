# SPDX-License-Identifier: BSD-3-Clause
"""This machine's own CPU: in this process (`library`), or in a server whose calls are timed, counted
or followed instruction by instruction (`machine`; the server is `bench/host`)."""
