# SPDX-License-Identifier: BSD-3-Clause
"""What link security takes of flash and RAM: images with and without it, module by module, and the
stack it needs."""
