"""Files that are made from the program and kept in the repository: write them, or tell which of them have drifted."""

import argparse
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from attrs import frozen


@frozen
class Generated:
    """What ``python -m MODULE [--check] [--folder FOLDER]`` writes.

    `files` gives the text of each file by its path in the folder; what matches the pattern `owned` and is not among
    them is left over, and goes.
    """

    module: str
    description: str
    folder: Path
    files: Callable[[Path], Mapping[str, str]]
    owned: str = ""

    def main(self, argv: list[str] | None = None) -> int:
        """Write the files, or with ``--check`` only compare them; give 1 when one differs."""
        options = self._parser().parse_args(argv)
        wanted = {options.folder / name: text for name, text in self.files(options.folder).items()}
        stale = [path for path, text in wanted.items() if _read(path) != text]
        leftover = sorted(set(options.folder.glob(self.owned)) - set(wanted)) if self.owned else []
        if options.check:
            for path in (*stale, *leftover):
                sys.stderr.write(f"{path} is out of date. Run: python -m {self.module}\n")
            return 1 if stale or leftover else 0
        for path in stale:
            _write(path, wanted[path])
        for path in leftover:
            path.unlink()
        return 0

    def _parser(self) -> argparse.ArgumentParser:
        parser = argparse.ArgumentParser(prog=f"python -m {self.module}", description=self.description)
        parser.add_argument("--check", action="store_true", help="write nothing; fail if a file is out of date")
        parser.add_argument(
            "--folder", type=Path, default=self.folder, help=f"where the files are (default: {self.folder})"
        )
        return parser


def _read(path: Path) -> str | None:
    return path.read_text(encoding="utf-8") if path.is_file() else None


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
