# SPDX-License-Identifier: BSD-3-Clause
"""Images that others released, on emulated motes."""
