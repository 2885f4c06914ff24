"""The corpus on disk: pinned wheels and sdists, unpacked and never installed, one folder a distribution."""

from __future__ import annotations

import email
import email.message
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
FOLDER = HERE / "corpus"
REQUIREMENTS = HERE / "corpus.txt"


STAMP = ".corpus-pin"


@dataclass(frozen=True, slots=True)
class Pin:
    """A distribution to fetch, by its canonical name; `sdist` where the wheel would not do."""

    name: str
    version: str
    sdist: bool

    def __str__(self) -> str:
        return f"{self.name}=={self.version}{' sdist' if self.sdist else ''}"


@dataclass(frozen=True, slots=True)
class Package:
    """One unpacked distribution: its folder and the size of its Python code."""

    name: str
    folder: Path
    files: int
    lines: int


def python_files(folder: Path) -> list[Path]:
    """Every regular `.py` file under `folder`, sorted."""
    return sorted(path for path in folder.rglob("*.py") if path.is_file() and not path.is_symlink())


def packages(folder: Path, only: frozenset[str] = frozenset()) -> list[Package]:
    """The folders directly under `folder` that hold Python code, or those named in `only`."""
    if not folder.is_dir():
        sys.exit(f"corpus: {folder} is not there: run `python benchmarks/corpus.py fetch` first")
    found = [_package(path) for path in sorted(folder.iterdir()) if path.is_dir() and not path.name.startswith(".")]
    if unknown := only - {package.name for package in found}:
        sys.exit(f"corpus: no package {', '.join(sorted(unknown))} under {folder}")
    return [package for package in found if package.files and (not only or package.name in only)]


def _package(folder: Path) -> Package:
    files = python_files(folder)
    return Package(folder.name, folder, len(files), sum(path.read_bytes().count(b"\n") for path in files))


def fetch(folder: Path, requirements: Path) -> None:
    """Download what `requirements` pins, where `folder` lacks it, and unpack it."""
    downloads = folder / ".downloads"
    downloads.mkdir(parents=True, exist_ok=True)
    for pin in _pins(requirements):
        target = folder / pin.name
        stamp = target / STAMP
        if stamp.is_file() and stamp.read_text(encoding="utf-8") == str(pin):
            continue
        archive = _download(pin, downloads)
        shutil.rmtree(target, ignore_errors=True)
        if archive.suffix == ".whl":
            _unpack_wheel(archive, target, pin)
        else:
            _unpack_sdist(archive, target)
        stamp.write_text(str(pin), encoding="utf-8")


def _pins(requirements: Path) -> list[Pin]:
    lines = (line.partition("#")[0].split() for line in requirements.read_text(encoding="utf-8").splitlines())
    pins = []
    for words in filter(None, lines):
        name, equal, version = words[0].partition("==")
        if not (equal and version and words[1:] in ([], ["sdist"])):
            sys.exit(f"corpus: {requirements}: {' '.join(words)!r} is not `NAME==VERSION` or `NAME==VERSION sdist`")
        pins.append(Pin(_canonical(name), version, sdist=len(words) == 2))
    return pins


def _canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _download(pin: Pin, downloads: Path) -> Path:
    stem = f"{pin.name.replace('-', '_')}-{pin.version}"
    pattern = f"{stem}.tar.gz" if pin.sdist else f"{stem}-*.whl"
    if found := next(downloads.glob(pattern), None):
        return found
    # A wheel where nothing is lost by it: for an sdist pip runs the package's build backend to learn its metadata.
    only = ["--no-binary" if pin.sdist else "--only-binary", ":all:"]
    options = ["--quiet", "--no-deps", *only, "--disable-pip-version-check", "--dest", str(downloads)]
    command = [sys.executable, "-m", "pip", "download", *options, f"{pin.name}=={pin.version}"]
    if subprocess.run(command, check=False, stderr=subprocess.DEVNULL).returncode:
        sys.exit(f"corpus: pip cannot download {pin}: see `{' '.join(command)}`")
    return next(downloads.glob(pattern))


def _unpack_wheel(archive: Path, target: Path, pin: Pin) -> None:
    with zipfile.ZipFile(archive) as wheel:
        wheel.extractall(target)
    (target / "pyproject.toml").write_text(_project_table(target, pin), encoding="utf-8")


def _unpack_sdist(archive: Path, target: Path) -> None:
    """The archive's one top folder becomes `target`."""
    parts = target.with_name(f".{target.name}.part")
    with tarfile.open(archive) as sdist:
        sdist.extractall(parts, filter="data")
    next(parts.iterdir()).rename(target)
    parts.rmdir()


def _project_table(target: Path, pin: Pin) -> str:
    """A `pyproject.toml` that says what the wheel's metadata says.

    It makes the unpacked folder a project of its own, with the JAX versions that the package really supports.
    """
    metadata = next(target.glob("*.dist-info/METADATA"), None)
    head = email.message_from_string(metadata.read_text(encoding="utf-8")) if metadata else email.message.Message()
    needs = [str(value) for value in head.get_all("Requires-Dist", []) if "extra ==" not in str(value)]
    listed = "".join(f"  {_quoted(need)},\n" for need in needs)
    return f'[project]\nname = "{pin.name}"\nversion = "{pin.version}"\ndependencies = [\n{listed}]\n'


def _quoted(text: str) -> str:
    return "'" + text.replace("'", '"') + "'"
