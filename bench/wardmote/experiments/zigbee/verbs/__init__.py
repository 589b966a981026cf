# SPDX-License-Identifier: BSD-3-Clause
"""The sub-verbs of `wardmote zigbee`."""
