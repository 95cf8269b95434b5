"""The list of paraphrases is held by all files, and finds what it is meant to find."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.prose import findings, tracked_files

ROOT = Path(__file__).parents[2]
PARAPHRASES = ("numbers", "with a", "point", "of which", "nothing is known")
"""In parts, so that a search over all files does not find them here."""


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="lists the files of a clone")
def test_no_file_has_a_listed_paraphrase(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    files = tracked_files()
    assert Path("veillee/engine/game.py") in files
    assert list(findings(files)) == []


def test_a_paraphrase_is_found_with_the_usual_term(tmp_path: Path) -> None:
    file = tmp_path / "module.py"
    file.write_text(f"# A buffer.\n\n# {' '.join(PARAPHRASES)}\n")
    found = list(findings([file]))
    assert len(found) == 2
    assert all(line.startswith(f"{file}:3: ") for line in found)
    assert "float64" in found[0]
