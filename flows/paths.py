"""Where a run keeps its files: one place that knows the names under `runs/<profile>/`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

HARNESS = Path("harness")
ROOM_LOGS = Path("room_logs")
"""A company's own rooms, where there are any."""
STATE = Path(".hat")
CHAMPION = STATE / "champion.json"


def decided_report(profile: str) -> Path:
    """Folder of the report that shows the gate's decision: the gate is no stage, so DVC does not track it."""
    return STATE / "conclusions" / profile / "report"


@dataclass(frozen=True)
class RunPaths:
    """The outputs of one profile's stages; each is a tracked output in dvc.yaml."""

    root: Path

    @classmethod
    def of(cls, profile: str) -> RunPaths:
        return cls(Path("runs") / profile)

    @property
    def catalogue(self) -> Path:
        return self.root / "rooms" / "catalogue.sqlite"

    @property
    def cases(self) -> Path:
        return self.root / "rooms" / "cases.jsonl"

    @property
    def validation(self) -> Path:
        return self.root / "validation"

    @property
    def variants(self) -> Path:
        return self.root / "variants"

    @property
    def trajectories(self) -> Path:
        return self.root / "trajectories" / "collected.jsonl"

    @property
    def dataset(self) -> Path:
        return self.root / "dataset"

    def model(self, arm: str) -> Path:
        return self.root / "models" / arm

    def checkpoints(self, arm: str) -> Path:
        """Where an interrupted training goes on from; outside the tracked outputs."""
        return STATE / "checkpoints" / self.root.name / arm

    def training_log(self, arm: str) -> Path:
        return self.root / "training" / f"{arm}.jsonl"

    def evaluation(self, arm: str) -> Path:
        return self.root / "evaluation" / f"{arm}.jsonl"

    def unfinished(self, arm: str) -> Path:
        """Where an evaluation keeps its rows until it has them all."""
        return STATE / "evaluation" / self.root.name / arm

    def summary(self, arm: str) -> Path:
        return self.root / "evaluation" / f"{arm}.json"

    @property
    def draft(self) -> Path:
        """The draft head's folder."""
        return self.root / "models" / "draft"

    @property
    def draft_summary(self) -> Path:
        return self.root / "evaluation" / "draft_head.json"

    @property
    def ablation(self) -> Path:
        return self.root / "ablation"

    @property
    def report(self) -> Path:
        return self.root / "report"
