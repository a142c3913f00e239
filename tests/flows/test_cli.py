"""The command line: quick to start, bad input in one line with exit code 2."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HEAVY = {"torch", "transformers", "trl", "mlflow", "prefect", "pydantic", "pandas", "numpy", "rich"}


def run(*command: str | Path, folder: Path = ROOT) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)


def test_help_imports_nothing_heavy() -> None:
    script = "import sys; from flows.cli import hat; hat(['--help'], standalone_mode=False); print(*sys.modules, file=sys.stderr)"
    helped = run(sys.executable, "-c", script)
    assert "retrain" in helped.stdout and "rollback" in helped.stdout
    assert not HEAVY & set(helped.stderr.split())


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["retrain", "--profile", "huge"], "infra/profiles/huge.yaml: not found; expected a profile among"),
        (["approve", "nothing"], "Missing option '--by'."),
        (["dance"], "No such command 'dance'."),
        (["up", "--mlflow-port", "99999"], "99999 is not in the range"),
        (["harness", "check", "no/such/folder"], "no/such/folder"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(tiny_checkout: Path, arguments: list[str], expected: str) -> None:
    refused = run("./hat", *arguments, folder=tiny_checkout)
    assert refused.returncode == 2
    assert refused.stdout == ""
    (line,) = refused.stderr.splitlines()
    assert line.startswith("hat: ") and expected in line


def test_a_broken_promotion_policy_is_refused_before_anything_runs(tiny_checkout: Path) -> None:
    policy = tiny_checkout / "mlflow" / "promotion_policy.yaml"
    policy.write_text(policy.read_text().replace("minimum_cases: 40", "minimum_cases: many"))
    refused = run("./hat", "retrain", "--profile", "smoke", folder=tiny_checkout)
    assert (refused.returncode, refused.stdout) == (2, "")
    (line,) = refused.stderr.splitlines()
    assert f"{policy}: minimum_cases: " in line
    assert not (tiny_checkout / "runs").exists()


def test_paths_are_the_callers(tiny_checkout: Path) -> None:
    skill = tiny_checkout / "harness" / "skills"
    checked = run(tiny_checkout / "hat", "harness", "check", "..", folder=skill)
    assert checked.returncode == 0, checked.stderr
    assert "can be used" in checked.stdout


def test_without_an_environment_it_says_how_to_make_one(tiny_checkout: Path) -> None:
    (tiny_checkout / ".venv").unlink()
    refused = run("./hat", "status", folder=tiny_checkout)
    assert refused.returncode == 2
    assert refused.stderr.startswith("hat: there is no environment yet; run: make -C")


def test_the_folder_mlflow_does_not_shadow_the_package() -> None:
    found = run(sys.executable, "-c", "import importlib.util as u; print(u.find_spec('mlflow').origin)")
    assert "site-packages" in found.stdout
