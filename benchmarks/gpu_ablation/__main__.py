"""The whole ablation on one GPU, on a machine that has torch and transformers and little else.

python -m benchmarks.gpu_ablation pack DIR      in the project's environment
python -m benchmarks.gpu_ablation run DIR OUT   in a checkout on the machine with the GPU
python -m benchmarks.gpu_ablation table DIR OUT in the project's environment again
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from components.errors import UserError


def main() -> None:
    options = _parser().parse_args()
    try:
        globals()[f"_{options.command}"](options)
    except UserError as error:
        print(error, file=sys.stderr)
        raise SystemExit(2) from None


def _pack(options: argparse.Namespace) -> None:
    from benchmarks.gpu_ablation.pack import pack, sized

    pack(options.dir, sized(options.profile, options.rows, options.heldout), options.python, tuple(options.carry))


def _run(options: argparse.Namespace) -> None:
    from benchmarks.gpu_ablation.packages import unpack

    unpack(options.dir / "packages.zip", options.out / "packages")
    from benchmarks.gpu_ablation.run import run

    run(options.dir, options.out, options.minutes, options.model, options.scale, options.workers, options.steps)


def _table(options: argparse.Namespace) -> None:
    from benchmarks.gpu_ablation.table import table

    table(options.dir, options.out)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="gpu_ablation", description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    pack = commands.add_parser("pack", help="gather all that a run needs in the folder DIR")
    run = commands.add_parser("run", help="train and ask all arms")
    table = commands.add_parser("table", help="table and figure of a run")
    for command in (pack, run, table):
        command.add_argument("dir", type=Path)
    pack.add_argument("--profile", default="laptop")
    pack.add_argument("--rows", type=int, default=256, help="training rows an arm")
    pack.add_argument("--heldout", type=int, default=8, help="harness variants of T2")
    pack.add_argument("--python", default=f"{sys.version_info.major}.{sys.version_info.minor}", help="that of the other machine")
    pack.add_argument("--carry", action="append", default=[], help="one more package, e.g. transformers of this version")
    for command in (run, table):
        command.add_argument("out", type=Path)
    run.add_argument("--minutes", type=float, default=10)
    run.add_argument("--model", type=Path, help="folder of the base model, where DIR has none")
    run.add_argument("--scale", type=int, help="every batch so many times that of the profile; by default measured")
    run.add_argument("--workers", type=int, help="arms at once; by default 3 on a GPU, else 1")
    run.add_argument("--steps", type=int, default=100_000, help="of each stage, at the most")
    return parser


if __name__ == "__main__":
    main()
