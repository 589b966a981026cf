# SPDX-License-Identifier: BSD-3-Clause
"""Judges what papers claim, by our rows: published/*_claims.toml."""
