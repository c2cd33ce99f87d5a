"""What git knows of a folder of schemas: the last release, the branch point, and the files as they were there."""

from __future__ import annotations

import io
import re
import subprocess
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from os import fsdecode
from pathlib import Path
from tempfile import TemporaryDirectory

from evalcontract.errors import CatalogError, HistoryError

UPSTREAMS = ("origin/HEAD", "origin/main", "origin/master", "main", "master")
RELEASE_TAGS = "v[0-9]*"
_REF = re.compile(r"[A-Za-z0-9_./@{}^~+-]{1,200}")
_TIMEOUT_SECONDS = 60


def not_as_it_was(error: CatalogError, then: Path) -> HistoryError:
    """What is wrong with a catalogue of the past, laid out at `then`: it can't be restored any more."""
    reason = error.message.replace(f"{then}/", "")
    return HistoryError(f"the catalogue can't be read as it was: {reason}", hint="name another commit")


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

    def last_release(self) -> str | None:
        """The nearest tag `v1.2.3` before or at HEAD, None when nothing was ever released."""
        return self._maybe("describe", "--tags", "--abbrev=0", "--match", RELEASE_TAGS)

    def branch_point(self, upstream: str | None = None) -> str | None:
        """The commit at which this branch left `upstream`; on that branch itself, the commit before HEAD.

        Without `upstream`, the usual names of a main branch are tried. None for a repository's first commit.
        Raises HistoryError when there is no such branch.
        """
        head = self._git("rev-parse", "HEAD")
        known = (
            [upstream]
            if upstream
            else [each for each in UPSTREAMS if self._maybe("rev-parse", "--verify", each)]
        )
        if not known:
            raise HistoryError("no main branch to compare with was found", hint="name it with --base")
        base = self._maybe("merge-base", "HEAD", self.checked(known[0]))
        if base is None:
            raise HistoryError(
                f"{known[0]} and HEAD have no commit in common", hint="fetch it, or name another with --base"
            )
        return base if base != head else self._maybe("rev-parse", "--verify", "HEAD^")

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

    def _run(self, *arguments: str, check: bool = True) -> subprocess.CompletedProcess[bytes]:
        command = ["git", "--literal-pathspecs", "-C", str(self._root), *arguments]
        try:
            done = subprocess.run(command, capture_output=True, timeout=_TIMEOUT_SECONDS, check=False)
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
