# SPDX-License-Identifier: BSD-3-Clause
"""Runs the cases of a measurement on an engine, and keeps what they give.

The words are defined in docs/what-is-the-architecture.md: case, campaign, artefact, figures,
engine, store."""
