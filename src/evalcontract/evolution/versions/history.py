"""What git knows of a folder of schemas: every commit that changed it, and the files as they were there."""

from __future__ import annotations

import io
import os
import re
import subprocess
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from os import fsdecode, fsencode
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

from evalcontract.errors import CatalogError, HistoryError

_MARK = "commit "
_REF = re.compile(r"[A-Za-z0-9_./@{}^~+-]{1,200}")
_TIMEOUT_SECONDS = 60
_OF_ANOTHER = frozenset(
    f"GIT_{name}"
    for name in (
        *("DIR", "WORK_TREE", "COMMON_DIR", "INDEX_FILE", "OBJECT_DIRECTORY", "PREFIX", "NAMESPACE"),
        *("ALTERNATE_OBJECT_DIRECTORIES", "SHALLOW_FILE", "IMPLICIT_WORK_TREE"),
    )
)
"""What hooks of git set, or somebody else: it would make git look at another repository than that of the folder."""


def not_as_it_was(error: CatalogError, then: Path) -> HistoryError:
    """What is wrong with a catalogue of the past, laid out at `then`: it can't be restored any more."""
    reason = error.message.replace(f"{then}/", "")
    return HistoryError(f"the catalogue can't be read as it was: {reason}", hint="name another commit")


@dataclass(frozen=True, slots=True)
class Tree:
    """A folder of schemas as a commit left it: git's names of its catalog.json and, by file, of its migrations."""

    commit: str
    folder: str
    catalogue: str
    migrations: Mapping[str, str]


class History:
    """The git history around a folder. Raises HistoryError when there is none, or only a shallow copy of it."""

    def __init__(self, folder: Path) -> None:
        self.folder = self._root = folder.resolve()
        self._root = Path(self._git("rev-parse", "--show-toplevel"))
        self._git("rev-parse", "--verify", "HEAD")
        if self._git("rev-parse", "--is-shallow-repository") == "true":
            raise HistoryError(
                "this is a shallow clone: what was released can't be seen",
                hint="git fetch --unshallow --tags",
            )

    @property
    def top(self) -> Path:
        """The root of the working tree."""
        return self._root

    @property
    def inside(self) -> str:
        """The folder as seen from there, `.` for the root itself."""
        return self.folder.relative_to(self._root).as_posix()

    def count(self, commit: str) -> int:
        """How many commits lead to a commit, it included."""
        return int(self._git("rev-list", "--count", commit))

    def leads(self, older: str, newer: str) -> bool:
        """Whether one commit is an ancestor of the other, or the same."""
        return self._maybe("merge-base", "--is-ancestor", older, newer) is not None

    def around(self) -> History | None:
        """The history of the repository that has this one as a submodule, if there is one."""
        above = self._git("rev-parse", "--show-superproject-working-tree")
        return History(Path(above)) if above else None

    def trees(self, *revisions: str) -> Iterator[Tree]:
        """Every folder with a catalog.json, in every commit of the revisions that changed it or a migration in it."""
        log = (
            "log",
            "-z",
            "-m",
            "--full-history",
            "--topo-order",
            "--reverse",
            "--no-renames",
            "--name-only",
        )
        paths = (":(top,glob)**/catalog.json", ":(top,glob)**/to-*.json")
        found = self._run(*log, f"--format={_MARK}%H", *revisions, "--", *paths, literal=False).stdout
        changed: dict[str, set[str]] = {}
        known: dict[str, set[str]] = {}
        at = ""
        for token in map(str.strip, fsdecode(found).split("\0")):
            if token.startswith(_MARK):
                at = token.removeprefix(_MARK)
            elif "\n" not in token and token:
                path = PurePosixPath(token)
                catalogue = path.name == "catalog.json"
                home = path.parent if catalogue else path.parent.parent
                changed.setdefault(at, set()).add(str(home))
                if not catalogue:
                    known.setdefault(str(home), set()).add(path.relative_to(home).as_posix())
        wanted = [
            (at, folder, ("catalog.json", *sorted(known.get(folder, ()))))
            for at, folders in changed.items()
            for folder in sorted(folders)
        ]
        asked = [
            f"{at}:{folder}/{file}".replace(":./", ":") for at, folder, files in wanted for file in files
        ]
        answers = iter(self._blob_names(asked))
        for at, folder, files in wanted:
            there = {file: name for file in files if (name := next(answers)) is not None}
            if (blob := there.pop("catalog.json", None)) is not None:
                yield Tree(at, folder, blob, there)

    def _blob_names(self, asked: list[str]) -> list[str | None]:
        """The blob at each `commit:path`, None where there is none."""
        done = self._run("cat-file", "--batch-check=%(objecttype) %(objectname)", given="\n".join(asked))
        answers = [line.split(" ") for line in fsdecode(done.stdout).splitlines()]
        return [answer[1] if answer[0] == "blob" else None for answer in answers]

    def blobs(self, names: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        """The bytes of each blob, each once."""
        wanted = list(dict.fromkeys(names))
        out = self._run("cat-file", "--batch", given="\n".join(wanted)).stdout
        at = 0
        for name in wanted:
            end = out.index(b"\n", at)
            size = int(out[at:end].rsplit(b" ", 1)[1])
            yield name, out[end + 1 : end + 1 + size]
            at = end + size + 2

    def checked(self, ref: str) -> str:
        """The commit that a name means; HistoryError when it means none."""
        if not _REF.fullmatch(ref) or ref.startswith("-"):
            raise HistoryError(
                f"{ref!r:.80} can't be the name of a commit", hint="name a branch, a tag or a commit"
            )
        found = self._maybe("rev-parse", "--verify", f"{ref}^{{commit}}")
        if found is None or not found.isalnum():  # ^main is every commit but those of main
            raise HistoryError(f"git knows no commit {ref}", hint="git fetch --tags")
        return found

    @contextmanager
    def as_it_was(self, ref: str) -> Iterator[Path | None]:
        """The folder at a commit, laid out in a temporary place; None when it wasn't there."""
        commit = self.checked(ref)
        inside = self.folder.relative_to(self._root).as_posix()
        known = self._git("ls-tree", "-r", "-z", "--name-only", commit, "--", inside)
        if not known:
            yield None
            return
        with TemporaryDirectory(prefix="evalcontract-") as target:
            archive = self._run("archive", "--format=zip", commit, "--", inside).stdout
            with zipfile.ZipFile(io.BytesIO(archive)) as files:
                files.extractall(target)
            wanted = [name for name in known.split("\0") if name.endswith(".json")]
            left_out = [name for name in wanted if not Path(target, name).exists()]
            if left_out:
                raise HistoryError(
                    f"git archive leaves {left_out[0]} out", hint="take export-ignore out of .gitattributes"
                )
            yield Path(target) / inside

    def _maybe(self, *arguments: str) -> str | None:
        done = self._run(*arguments, check=False)
        return fsdecode(done.stdout).strip() if done.returncode == 0 else None

    def _git(self, *arguments: str) -> str:
        return fsdecode(self._run(*arguments).stdout).strip()

    def _run(
        self, *arguments: str, check: bool = True, literal: bool = True, given: str | None = None
    ) -> subprocess.CompletedProcess[bytes]:
        """Run git on the objects that are here: it fetches none, and heeds no replacements of them."""
        pathspecs = ["--literal-pathspecs"] if literal else []
        command = ["git", "--no-replace-objects", *pathspecs, "-C", str(self._root), *arguments]
        environment = {name: value for name, value in os.environ.items() if name not in _OF_ANOTHER}
        environment |= {"GIT_NO_LAZY_FETCH": "1", "GIT_TERMINAL_PROMPT": "0", "GIT_GRAFT_FILE": os.devnull}
        text = None if given is None else fsencode(f"{given}\n" if given else "")
        try:
            done = subprocess.run(
                command, input=text, env=environment, capture_output=True, timeout=_TIMEOUT_SECONDS
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise HistoryError(
                f"git can't be run: {error}", hint="install git, or run inside the repository"
            ) from error
        if check and done.returncode:
            reason = done.stderr.decode("utf-8", "replace").strip().splitlines() or ["no reason given"]
            raise HistoryError(
                f"{self.folder} has no git history to compare with: {reason[-1]:.200}",
                hint="run this in a full clone of the repository",
            )
        return done
