"""dvc.yaml names every file of code that a stage runs: a change of one that it did not name would leave the stage standing."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest
import yaml

from flows.stages.__main__ import STAGES

ROOT = Path(__file__).parents[2]
PIPELINE = yaml.safe_load((ROOT / "dvc.yaml").read_text())["stages"]
# What wires every stage; what of it matters to an output reaches the stage as a parameter or a path.
WIRING = {
    *("flows/params.py", "flows/paths.py", "components/errors.py", "components/files.py"),
    *("components/policy/params.py", "components/training/params.py"),
}


def module_file(module: str) -> Path | None:
    path = ROOT / module.replace(".", "/")
    return next((file for file in (path.with_suffix(".py"), path / "__init__.py") if file.is_file()), None)


@cache
def imports(file: Path) -> frozenset[Path]:
    """The project's files that `file` takes names from; a name that a package hands out counts as its own module's."""
    found: set[Path] = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if not isinstance(node, ast.ImportFrom) or not (node.module or "").startswith(("components", "flows")):
            continue
        source = module_file(node.module or "")
        assert source is not None, (file, node.module)
        if source.name != "__init__.py":
            found.add(source)
            continue
        for alias in node.names:
            submodule = module_file(f"{node.module}.{alias.name}")
            found |= {submodule} if submodule else origin(source, alias.name)
    return frozenset(found)


def origin(package: Path, name: str) -> set[Path]:
    for node in ast.walk(ast.parse(package.read_text())):
        if isinstance(node, ast.ImportFrom) and any((alias.asname or alias.name) == name for alias in node.names):
            source = module_file(node.module or "")
            assert source is not None
            return {source}
    return {package}


def closure(file: Path) -> set[str]:
    seen: set[Path] = set()
    waiting = [file]
    while waiting:
        one = waiting.pop()
        if one not in seen:
            seen.add(one)
            waiting += imports(one)
    return {one.relative_to(ROOT).as_posix() for one in seen} - WIRING


@pytest.mark.parametrize("stage", list(PIPELINE))
def test_stage_depends_on_all_the_code_it_runs(stage: str) -> None:
    file = ROOT / "flows" / "stages" / f"{stage.split('-')[0]}.py"
    definition = PIPELINE[stage].get("do", PIPELINE[stage])
    depends = [str(one) for one in definition["deps"] if not str(one).startswith("runs/")]
    covered = {code for code in closure(file) for one in depends if code == one or code.startswith(f"{one}/")}
    assert closure(file) - covered == set()


def test_dvc_yaml_and_the_stages_that_run_alone_are_the_same() -> None:
    assert {stage.split("-")[0] for stage in PIPELINE} == set(STAGES)
