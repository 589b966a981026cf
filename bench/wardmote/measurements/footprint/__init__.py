# SPDX-License-Identifier: BSD-3-Clause
"""How much flash, RAM and stack link security takes: images with and without it are compared,
module by module."""
