"""Looking back at a finished game: what decisions were worth, and how much was luck."""

from __future__ import annotations

from veillee.analysis.analyse import Analysis, Decision, Sums, analyse, analyse_many

__all__ = ["Analysis", "Decision", "Sums", "analyse", "analyse_many"]
