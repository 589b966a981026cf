# SPDX-License-Identifier: BSD-3-Clause
"""AES-128 and CCM* of other libraries, fetched and built when they are measured, beside ours."""
