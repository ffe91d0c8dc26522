"""Incremental backups of a folder into a store of chunks.

A backup is a manifest: a JSON file that lists every file with its size, mode and the digests of its chunks. Chunks are
stored once, under their digest, so a second backup of an unchanged folder writes a manifest and nothing else.
"""

import argparse
import fnmatch
import gzip
import hashlib
import json
import os
import shutil
import sys
import time
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

CHUNK_SIZE = 1024 * 1024
MANIFEST_SUFFIX = ".manifest.json"
DEFAULT_EXCLUDES = ["*.pyc", "__pycache__", ".git", "*.tmp"]
TIME_FORMAT = "%Y%m%d-%H%M%S"


class BackupError(Exception):
    """Something about the store or a manifest is wrong."""


class ChunkMissing(BackupError):
    def __init__(self, digest, path):
        super().__init__("chunk %s of %s is missing" % (digest[:12], path))
        self.digest = digest
        self.path = path


@dataclass
class Entry:
    """One file of a backup."""

    path: str
    size: int
    mode: int
    mtime: float
    chunks: list = field(default_factory=list)

    def to_json(self):
        return {
            "path": self.path,
            "size": self.size,
            "mode": self.mode,
            "mtime": self.mtime,
            "chunks": self.chunks,
        }

    @classmethod
    def from_json(cls, data):
        return cls(data["path"], data["size"], data["mode"], data["mtime"], data["chunks"])


@dataclass
class Manifest:
    created: datetime
    source: str
    entries: dict = field(default_factory=dict)
    comment: str = ""

    @property
    def name(self):
        return self.created.strftime(TIME_FORMAT)

    def add(self, entry):
        self.entries[entry.path] = entry

    def total_size(self):
        total = 0
        for entry in self.entries.values():
            total += entry.size
        return total

    def chunks(self):
        seen = set()
        for entry in self.entries.values():
            for digest in entry.chunks:
                seen.add(digest)
        return seen

    def save(self, folder):
        data = {
            "created": self.created.isoformat(),
            "source": self.source,
            "comment": self.comment,
            "entries": [entry.to_json() for entry in self.entries.values()],
        }
        path = Path(folder) / (self.name + MANIFEST_SUFFIX)
        path.write_text(json.dumps(data, indent=1))
        return path

    @classmethod
    def load(cls, path):
        try:
            data = json.loads(Path(path).read_text())
        except ValueError:
            raise BackupError("%s is not a manifest" % path)
        manifest = cls(datetime.fromisoformat(data["created"]), data["source"], comment=data.get("comment", ""))
        for record in data["entries"]:
            manifest.add(Entry.from_json(record))
        return manifest


class ChunkStore:
    """Chunks in a folder, gzipped, spread over 256 subfolders."""

    def __init__(self, root, level=6):
        self.root = Path(root)
        self.level = level
        self.written = 0
        self.reused = 0

    def path_of(self, digest):
        return self.root / digest[:2] / digest[2:]

    def has(self, digest):
        return self.path_of(digest).exists()

    def put(self, data):
        digest = hashlib.sha256(data).hexdigest()
        target = self.path_of(digest)
        if target.exists():
            self.reused += 1
            return digest
        target.parent.mkdir(parents=True, exist_ok=True)
        temporary = target.with_suffix(".part")
        with gzip.open(temporary, "wb", compresslevel=self.level) as out:
            out.write(data)
        os.replace(temporary, target)
        self.written += 1
        return digest

    def get(self, digest):
        with gzip.open(self.path_of(digest), "rb") as stream:
            data = stream.read()
        if hashlib.sha256(data).hexdigest() != digest:
            raise BackupError("chunk %s is damaged" % digest)
        return data

    def all(self):
        for folder in sorted(self.root.iterdir()):
            if folder.is_dir():
                for path in sorted(folder.iterdir()):
                    yield folder.name + path.name

    def remove(self, digest):
        path = self.path_of(digest)
        size = path.stat().st_size
        path.unlink()
        return size


class Excludes:
    """Shell patterns for names that are left out."""

    def __init__(self, patterns=DEFAULT_EXCLUDES):
        self.patterns = list(patterns)

    def matches(self, name):
        for pattern in self.patterns:
            if fnmatch.fnmatch(name, pattern):
                return True
        return False

    def add(self, pattern):
        if pattern not in self.patterns:
            self.patterns.append(pattern)


def walk(source, excludes):
    """Yield paths of all files under the source, relative to it."""
    for folder, dirs, files in os.walk(source):
        dirs[:] = sorted(d for d in dirs if not excludes.matches(d))
        for name in sorted(files):
            if excludes.matches(name):
                continue
            yield os.path.relpath(os.path.join(folder, name), source)


def read_chunks(path, size=CHUNK_SIZE):
    f = open(path, "rb")
    while True:
        block = f.read(size)
        if not block:
            break
        yield block
    f.close()


def unchanged(entry, info):
    return entry is not None and entry.size == info.st_size and entry.mtime == info.st_mtime


class Backup:
    def __init__(self, store_folder, excludes=None, verbose=False):
        self.folder = Path(store_folder)
        self.manifests = self.folder / "manifests"
        self.store = ChunkStore(self.folder / "chunks")
        self.excludes = excludes or Excludes()
        self.verbose = verbose

    def prepare(self):
        self.manifests.mkdir(parents=True, exist_ok=True)
        self.store.root.mkdir(parents=True, exist_ok=True)

    def say(self, text):
        if self.verbose:
            print(text)

    def names(self):
        found = []
        for path in self.manifests.glob("*" + MANIFEST_SUFFIX):
            found.append(path.name[: -len(MANIFEST_SUFFIX)])
        found.sort()
        return found

    def load(self, name):
        path = self.manifests / (name + MANIFEST_SUFFIX)
        if not path.exists():
            raise BackupError("no backup named " + name)
        return Manifest.load(path)

    def latest(self):
        names = self.names()
        if len(names) == 0:
            return None
        return self.load(names[-1])

    def run(self, source, comment="", now=None):
        """Back a folder up and return the new manifest."""
        self.prepare()
        previous = self.latest()
        manifest = Manifest(now or datetime.now(), str(source), comment=comment)
        for relative in walk(source, self.excludes):
            path = os.path.join(source, relative)
            try:
                info = os.stat(path)
            except FileNotFoundError:
                self.say("vanished: " + relative)
                continue
            old = previous.entries.get(relative) if previous else None
            if unchanged(old, info):
                manifest.add(old)
                continue
            self.say("reading " + relative)
            entry = Entry(relative, info.st_size, info.st_mode, info.st_mtime)
            for block in read_chunks(path):
                entry.chunks.append(self.store.put(block))
            manifest.add(entry)
        manifest.save(self.manifests)
        return manifest

    def restore(self, name, target, pattern="*"):
        manifest = self.load(name)
        count = 0
        for entry in manifest.entries.values():
            if not fnmatch.fnmatch(entry.path, pattern):
                continue
            path = Path(target) / entry.path
            path.parent.mkdir(parents=True, exist_ok=True)
            with open(path, "wb") as out:
                for digest in entry.chunks:
                    if not self.store.has(digest):
                        raise ChunkMissing(digest, entry.path)
                    out.write(self.store.get(digest))
            os.chmod(path, entry.mode)
            os.utime(path, (entry.mtime, entry.mtime))
            count += 1
        return count

    def verify(self, name):
        """Digests that are missing or damaged, with the files that need them."""
        problems = {}
        manifest = self.load(name)
        for entry in manifest.entries.values():
            for digest in entry.chunks:
                try:
                    self.store.get(digest)
                except (OSError, BackupError) as error:
                    if digest not in problems:
                        problems[digest] = []
                    problems[digest].append((entry.path, str(error)))
        return problems

    def difference(self, old_name, new_name):
        old = self.load(old_name).entries
        new = self.load(new_name).entries
        added = []
        removed = []
        changed = []
        for path in new:
            if path not in old:
                added.append(path)
            elif new[path].chunks != old[path].chunks:
                changed.append(path)
        for path in old:
            if path not in new:
                removed.append(path)
        return sorted(added), sorted(removed), sorted(changed)

    def prune(self, keep_last=7, keep_days=30, now=None):
        now = now or datetime.now()
        names = self.names()
        doomed = []
        for index, name in enumerate(names):
            age = now - datetime.strptime(name, TIME_FORMAT)
            if index < len(names) - keep_last:
                if age > timedelta(days=keep_days):
                    doomed.append(name)
        for name in doomed:
            self.say("forgetting " + name)
            (self.manifests / (name + MANIFEST_SUFFIX)).unlink()
        return doomed

    def collect_garbage(self):
        """Remove chunks that no manifest needs. Returns how many there were and their bytes."""
        needed = set()
        for name in self.names():
            needed |= self.load(name).chunks()
        count = 0
        size = 0
        for digest in list(self.store.all()):
            if digest not in needed:
                size += self.store.remove(digest)
                count += 1
        return count, size

    def free_space(self):
        return shutil.disk_usage(self.folder).free


def human_size(size):
    units = ["B", "KiB", "MiB", "GiB", "TiB"]
    value = float(size)
    for unit in units:
        if value < 1024 or unit == units[-1]:
            break
        value = value / 1024
    return "%.1f %s" % (value, unit)


def build_parser():
    parser = argparse.ArgumentParser(description="Incremental backups of a folder.")
    parser.add_argument("store", help="the folder that holds the backups")
    parser.add_argument("-v", "--verbose", action="store_true")
    commands = parser.add_subparsers(dest="command", required=True)
    run = commands.add_parser("run", help="make a backup")
    run.add_argument("source")
    run.add_argument("--comment", default="")
    run.add_argument("--exclude", action="append", default=[])
    commands.add_parser("list", help="show all backups")
    restore = commands.add_parser("restore", help="write files back")
    restore.add_argument("name")
    restore.add_argument("target")
    restore.add_argument("--pattern", default="*")
    verify = commands.add_parser("verify", help="read every chunk of a backup")
    verify.add_argument("name")
    diff = commands.add_parser("diff", help="compare two backups")
    diff.add_argument("old")
    diff.add_argument("new")
    prune = commands.add_parser("prune", help="forget old backups")
    prune.add_argument("--keep-last", type=int, default=7)
    prune.add_argument("--keep-days", type=int, default=30)
    return parser


def command_run(backup, options):
    for pattern in options.exclude:
        backup.excludes.add(pattern)
    started = time.time()
    manifest = backup.run(options.source, options.comment)
    seconds = time.time() - started
    print("%s: %d files, %s" % (manifest.name, len(manifest.entries), human_size(manifest.total_size())))
    print("%d chunks written, %d reused, %.1f s" % (backup.store.written, backup.store.reused, seconds))
    return 0


def command_list(backup, options):
    for name in backup.names():
        manifest = backup.load(name)
        print(name, len(manifest.entries), human_size(manifest.total_size()), manifest.comment)
    return 0


def command_restore(backup, options):
    count = backup.restore(options.name, options.target, options.pattern)
    print("restored %d files" % count)
    return 0


def command_verify(backup, options):
    problems = backup.verify(options.name)
    for digest, places in problems.items():
        for path, message in places:
            print("%s: %s (%s)" % (path, message, digest[:12]))
    if problems:
        return 1
    else:
        print("all good")
        return 0


def command_diff(backup, options):
    added, removed, changed = backup.difference(options.old, options.new)
    for path in added:
        print("+ " + path)
    for path in removed:
        print("- " + path)
    for path in changed:
        print("~ " + path)
    return 0


def command_prune(backup, options):
    doomed = backup.prune(options.keep_last, options.keep_days)
    count, size = backup.collect_garbage()
    print("forgot %d backups, removed %d chunks (%s)" % (len(doomed), count, human_size(size)))
    return 0


COMMANDS = {
    "run": command_run,
    "list": command_list,
    "restore": command_restore,
    "verify": command_verify,
    "diff": command_diff,
    "prune": command_prune,
}


def main(argv=None):
    options = build_parser().parse_args(argv)
    backup = Backup(options.store, verbose=options.verbose)
    backup.prepare()
    try:
        return COMMANDS[options.command](backup, options)
    except BackupError as error:
        print("backup: %s" % error, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
