# SPDX-License-Identifier: LGPL-2.1-or-later
"""Check what the compiler does not: the order of the rooms and house rules.

Usage: check_sources.py SOURCE_DIR

- A room includes headers of itself and of lower rooms only.
- source/ mirrors include/ricochet/, and every source file is in the list of
  its room's CMakeLists.txt.
- Files start with the licence, headers have the include guard of their path.
- No file knows a path of the machine it was written on, and links lead to
  places that last.
- A parameter file says first what it shows.
"""

import pathlib
import re
import sys

# From the bottom to the top: a room may use those before it.
ROOMS = (
    "base", "rigid", "obstacle", "surface", "search", "geometry", "overlap", "impulse",
    "projection", "response", "contact", "material", "mesh", "element", "body",
    "implicit", "time", "output", "pictures", "simulation", "main",
)
# Rooms of one file: contact.h with contact.cc, and main.cc.
SINGLE = ("contact", "main")

SPDX = "SPDX-License-Identifier: LGPL-2.1-or-later"
HOSTS = (
    "cmake.org", "dealii.org", "doi.org", "github.com", "gnu.org",
    "open-mpi.org", "p4est.org", "paraview.org", "trilinos.org",
)
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)
GUARD = re.compile(r"^#ifndef (\w+)\n#define (\w+)\n", re.MULTILINE)
MACHINE_PATH = re.compile(r"(?<![\w.}/])/(?:home|mnt|opt|root|tmp|work)/")
LINK = re.compile(r"https?://(?:www\.)?([^/\s\"'<>)]+)")


class Checker:
    def __init__(self, root):
        self.root = root
        self.messages = []

    def complain(self, file, message):
        self.messages.append(f"{file.relative_to(self.root)}: {message}")

    def files(self, *folders):
        """All text files of the project below the folders."""
        for folder in folders:
            for file in sorted((self.root / folder).rglob("*")):
                inner = file.relative_to(self.root / folder).parts
                if file.is_file() and not any(
                        part.startswith((".", "__")) for part in inner):
                    yield file

    def room(self, file):
        """The room of a file below include/ricochet or source, or None."""
        parts = file.relative_to(self.root).parts
        parts = parts[2:] if parts[0] == "include" else parts[1:]
        room = parts[0].split(".")[0] if len(parts) == 1 else parts[0]
        well_placed = len(parts) == (1 if room in SINGLE else 2)
        return room if room in ROOMS and well_placed else None

    def check_includes(self, file, text):
        room = self.room(file)
        for bracket, name in INCLUDE.findall(text):
            if bracket == '"':
                if "/" in name or not (file.parent / name).is_file():
                    self.complain(file, f'"{name}" is not beside it; other '
                                        "rooms' headers are in <ricochet/...>.")
            elif name.startswith("ricochet/"):
                header = self.root / "include" / name
                if not (header.is_file()
                        or header.with_suffix(".h.in").is_file()):
                    self.complain(file, f"<{name}> does not exist.")
                    continue
                other = self.room(header)
                if other and ROOMS.index(other) > ROOMS.index(room):
                    self.complain(file, f"room '{room}' must not know "
                                        f"<{name}> of the higher room "
                                        f"'{other}'.")

    def check_place(self, file):
        """Whether the file is where its room is; false if it has none."""
        if file.name == "CMakeLists.txt":
            return False
        if self.room(file) is None:
            self.complain(file, "is in none of the rooms "
                                + ", ".join(ROOMS) + ".")
            return False
        return True

    def check_mirror(self, file):
        """A .cc file is in the list of its room, and if some room has a header
        of its name, its own room has one."""
        if file.suffix != ".cc":
            return
        room = self.room(file)
        headers = self.root / "include" / "ricochet"
        namesakes = [h for h in headers.rglob(file.stem + ".h")]
        own = headers / file.relative_to(self.root / "source").with_suffix(".h")
        if namesakes and own not in namesakes:
            self.complain(file, "its header is in another room: "
                                f"{namesakes[0].relative_to(self.root)}.")
        if room in SINGLE:
            return
        lists = (file.parent / "CMakeLists.txt").read_text()
        if not re.search(rf"(?<![\w.]){re.escape(file.name)}(?![\w.])", lists):
            self.complain(file, "is not in the CMakeLists.txt beside it.")

    def check_licence(self, file, text):
        head = text.split("\n", 2)[:2]
        if head[0].startswith("#!"):
            head = head[1:]
        comment = "// " if file.name.endswith((".h", ".cc", ".h.in")) else "# "
        if head[0] != comment + SPDX:
            self.complain(file, f"must start with '{comment}{SPDX}'.")

    def check_guard(self, file, text):
        name = "_".join(file.relative_to(self.root).parts)
        name = re.sub(r"\W", "_", name.removesuffix(".in"))
        name = "ricochet_" + name.removeprefix("include_ricochet_")
        if name.startswith("ricochet_include_"):
            self.complain(file, "headers belong into include/ricochet.")
        guard = GUARD.search(text)
        if guard is None or guard.groups() != (name, name):
            self.complain(file, f"its include guard must be {name}.")

    def check_words(self, file, text):
        for number, line in enumerate(text.split("\n"), 1):
            if MACHINE_PATH.search(line):
                self.complain(file, f"line {number} holds the path of a "
                                    "machine.")
            for host in LINK.findall(line):
                if host not in HOSTS:
                    self.complain(file, f"line {number} has a link to {host}.")

    def check_parameter_file(self, file, text):
        head = re.match(r"(?:#.*\n)*", text).group(0)
        if len(head.splitlines()) < 2:
            self.complain(file, "must start with at least two lines of comment "
                                "that say what it shows and what to expect.")

    def run(self):
        for file in self.files("include", "source"):
            if self.check_place(file):
                self.check_includes(file, file.read_text())
                if file.parts[len(self.root.parts)] == "source":
                    self.check_mirror(file)
        code = (".h", ".cc", ".h.in", ".cmake", ".cmake.in", ".py",
                "CMakeLists.txt")
        commands = ("install-packages", "run")
        for file in self.files("include", "source", "tests", "examples",
                               "cmake", "doc", "prm", ".ci"):
            try:
                text = file.read_text()
            except UnicodeDecodeError:
                continue
            if file.name.endswith(code) or file.name in commands:
                self.check_licence(file, text)
            if file.name.endswith((".h", ".h.in")):
                self.check_guard(file, text)
            if file.suffix == ".prm" and "prm" in file.parts:
                self.check_parameter_file(file, text)
            self.check_words(file, text)
        for name in ("CMakeLists.txt", "README.md", "CMakePresets.json"):
            file = self.root / name
            self.check_words(file, file.read_text())


def main():
    checker = Checker(pathlib.Path(sys.argv[1]).resolve())
    checker.run()
    for message in checker.messages:
        print(message)
    print(f"{len(checker.messages)} complaints.")
    return 1 if checker.messages else 0


if __name__ == "__main__":
    sys.exit(main())
