"""The environment is made once, by whoever comes first, and a run that was cut short is taken up where it was.

With small wheels in the place of the real packages; pip and uv are the real ones.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile, ZipInfo

import pytest

ROOT = Path(__file__).parents[2]
STEPS = 7


class Bootstrap:
    """A checkout that holds nothing but the bootstrap and the specification of a small environment."""

    def __init__(self, folder: Path) -> None:
        self.checkout, self.homes, self.wheels = folder / "checkout", folder / "homes", folder / "wheels"
        self.specification = self.checkout / "infra" / "environment"
        self.specification.mkdir(parents=True)
        self.wheels.mkdir()
        shutil.copy(ROOT / "infra" / "bootstrap", self.checkout / "infra")
        (self.specification / "torch.txt").write_text("fake-torch==1.0\n")
        (self.specification / "installer.txt").write_text("uv==99.0\n")
        (self.specification / "from_source.txt").write_text("fake-source==1.0\n")
        (self.specification / "requirements.lock").write_text("fake-package==1.0\n")
        self.add_wheel("fake_torch", "1.0", {"fake_torch.py": ""})
        self.add_wheel("fake_source", "1.0", {"fake_source.py": ""})
        real_uv = Path(sys.executable).parent / "uv"
        self.add_wheel("uv", "99.0", {"uv-99.0.data/scripts/uv": f'#!/bin/sh\nexec {real_uv} "$@"\n'})

    def add_wheel(self, name: str, version: str, files: dict[str, str]) -> None:
        info = f"{name}-{version}.dist-info"
        files = files | {
            f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name.replace('_', '-')}\nVersion: {version}\n",
            f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: a test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        }
        with ZipFile(self.wheels / f"{name}-{version}-py3-none-any.whl", "w") as wheel:
            for path, text in files.items():
                entry = ZipInfo(path)
                entry.external_attr = (0o100755 if "/scripts/" in path else 0o100644) << 16
                wheel.writestr(entry, text)
            wheel.writestr(f"{info}/RECORD", "".join(f"{path},,\n" for path in [*files, f"{info}/RECORD"]))

    def start(self) -> subprocess.Popen[str]:
        offline = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(self.wheels), "UV_NO_INDEX": "1", "UV_FIND_LINKS": str(self.wheels)}
        return subprocess.Popen(
            [sys.executable, "infra/bootstrap"],
            cwd=self.checkout,
            env=os.environ | offline | {"HAT_ENV_HOME": str(self.homes), "UV_CACHE_DIR": str(self.homes / "uv")},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def run(self) -> tuple[int, str]:
        process = self.start()
        said = process.communicate()[0]
        return process.returncode, said


@pytest.fixture
def bootstrap(tmp_path: Path) -> Bootstrap:
    return Bootstrap(tmp_path)


def test_two_at_once_make_one_environment_and_a_third_does_nothing(bootstrap: Bootstrap) -> None:
    bootstrap.add_wheel("fake_package", "1.0", {"fake_package.py": "ANSWER = 42\n"})
    together = [bootstrap.start(), bootstrap.start()]
    said = [process.communicate()[0] for process in together]
    assert [process.returncode for process in together] == [0, 0], said
    made = max(said, key=len)
    assert [line[:5] for line in made.splitlines()[1:]] == [f"[{step}/{STEPS}]" for step in range(1, STEPS + 1)]
    assert "[1/7]" not in min(said, key=len)

    venv = bootstrap.checkout / ".venv"
    ask = [venv / "bin" / "python", "-c", "import fake_torch, fake_package, fake_source; print(fake_package.ANSWER)"]
    assert subprocess.run(ask, capture_output=True, text=True).stdout == "42\n"
    assert bootstrap.run() == (0, "")

    # The environment's own `hat` finds the one of the checkout that the caller stands in.
    launcher = bootstrap.checkout / "hat"
    launcher.write_text('#!/bin/sh\necho "this checkout, $1"\n')
    launcher.chmod(0o755)
    called = subprocess.run([venv / "bin" / "hat", "status"], cwd=bootstrap.specification, capture_output=True, text=True)
    assert called.stdout == "this checkout, status\n"
    lost = subprocess.run([venv / "bin" / "hat"], cwd=bootstrap.homes, capture_output=True, text=True)
    assert lost.returncode == 2 and "lies in no checkout" in lost.stderr


def test_a_run_cut_short_goes_on_at_its_step(bootstrap: Bootstrap) -> None:
    code, said = bootstrap.run()
    assert code == 1
    assert "[4/7] install the locked packages … " in said and "[5/7]" not in said
    assert said.splitlines()[-1] == "bootstrap: this step failed, for the reason above; run again to go on from it"
    assert not (bootstrap.checkout / ".venv").exists()

    bootstrap.add_wheel("fake_package", "1.0", {"fake_package.py": ""})
    code, said = bootstrap.run()
    assert code == 0, said
    assert [line[:5] for line in said.splitlines()[1:]] == ["[4/7]", "[5/7]", "[6/7]", "[7/7]"]
    assert (bootstrap.checkout / ".venv" / "bin" / "python").exists()


def test_a_folder_of_the_users_own_is_left_alone(bootstrap: Bootstrap) -> None:
    bootstrap.add_wheel("fake_package", "1.0", {"fake_package.py": ""})
    (bootstrap.checkout / ".venv").mkdir()
    code, said = bootstrap.run()
    assert code == 2
    assert "is a folder, expected a link" in said and "making" not in said


def test_a_specification_names_no_registry_and_pins_everything() -> None:
    folder = ROOT / "infra" / "environment"
    lines = [
        line
        for name in ("installer.txt", "torch.txt", "from_source.txt", "requirements.lock")
        for line in (folder / name).read_text().splitlines()
    ]
    assert all("==" in line for line in lines if not line.startswith("#"))
    assert "://" not in (ROOT / "infra" / "bootstrap").read_text() + "".join(lines)
