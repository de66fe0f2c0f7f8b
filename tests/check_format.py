# SPDX-License-Identifier: LGPL-2.1-or-later
"""Check (or with --write, mend) the formatting of all C++ sources.

Usage: check_format.py SOURCE_DIR CLANG_FORMAT [--write]
"""

import pathlib
import subprocess
import sys

SKIPPED = 77


def sources(root):
    for folder in ("include", "source", "tests", "examples"):
        for suffix in (".h", ".cc"):
            yield from sorted((root / folder).rglob("*" + suffix))


def main():
    root, clang_format = pathlib.Path(sys.argv[1]), sys.argv[2]
    if clang_format.endswith("NOTFOUND"):
        print("clang-format-14 is not installed, so formats were not checked.")
        return SKIPPED
    mode = ["-i"] if "--write" in sys.argv else ["--dry-run", "-Werror"]
    result = subprocess.run(
        [clang_format, *mode, "--style=file", *sources(root)])
    if result.returncode != 0:
        print("Mend this by building the target 'format'.")
    return result.returncode


if __name__ == "__main__":
    sys.exit(main())
