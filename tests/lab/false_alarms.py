"""How often a study of a game beside itself finds a difference: `python -m tests.lab.false_alarms`.

At most 5 in 100 should. It plays for some minutes, so it is not among the tests; a number after it
is how many studies to make instead of 100.
"""

from __future__ import annotations

import sys

from veillee.engine.registry import games
from veillee.engine.variant import Variant
from veillee.lab.executor import workers
from veillee.lab.findings import findings
from veillee.lab.study import Plan, printed, study

STUDIES = 100
GAMES = 500


def main(studies: int) -> None:
    with workers(1) as pool:
        for spec in games().values():
            again = Variant(spec.name, "again", {})
            players = tuple(spec.player_counts)[:2]
            alarms = 0
            for seed in range(studies):
                plan = Plan(
                    spec.name, (again, printed(spec.name)), players, ("random",), GAMES, 1, seed
                )
                found = [
                    f for f in findings(study(plan, pool=pool)) if f.question.against != "fair"
                ]
                alarms += any(finding.sure for finding in found)
            print(f"{spec.name}: {alarms} of {studies} studies, {len(found)} comparisons in each")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else STUDIES)
