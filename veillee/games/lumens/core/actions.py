"""Lumens: every action as a small integer: a square, and the face that is up on it."""

from __future__ import annotations

from veillee.games.lumens.core.state import FACES, SQUARES

COUNT = SQUARES * FACES
"""square * 6 + face - 1."""
