# SPDX-License-Identifier: BSD-3-Clause
"""What a project needs to take of the stack: files, octets, and symbols from elsewhere."""
