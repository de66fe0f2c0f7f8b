# SPDX-License-Identifier: LGPL-2.1-or-later
"""Check that the description of every parameter names its units.

Usage: check_parameters.py PROGRAM
"""

import json
import re
import subprocess
import sys


def entries(tree, path=()):
    """All entries below a node, as (path, documentation)."""
    for name, node in tree.items():
        name = re.sub("_([0-9a-f]{2})", lambda m: chr(int(m[1], 16)), name)
        if isinstance(node, str):
            continue  # a section without entries
        if isinstance(node.get("value"), str):
            yield "/".join(path + (name,)), node.get("documentation", "")
        elif "alias" not in node:
            yield from entries(node, path + (name,))


def main():
    output = subprocess.run(
        [sys.argv[1], "--print-parameters=json"],
        check=True, stdout=subprocess.PIPE, text=True,
    ).stdout
    found = list(entries(json.loads(output)))
    wrong = [path for path, text in found if "Units:" not in text]
    for path in wrong:
        print(f"The description of '{path}' does not say 'Units: ...'.")
    print(f"{len(found)} parameters, {len(wrong)} without units.")
    return 1 if wrong or not found else 0


if __name__ == "__main__":
    sys.exit(main())
