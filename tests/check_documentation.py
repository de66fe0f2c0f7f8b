# SPDX-License-Identifier: LGPL-2.1-or-later
"""Check what is written about the code.

Usage: check_documentation.py SOURCE_DIR [DOXYGEN DOXYFILE]

- Doxygen reads headers and pages without a warning, and every class, function
  and type that a header shows has a comment. Data members whose names say it
  all may do without.
- Who is cited in a comment is in doc/sources.md, and the other way round.
- The entries of doc/glossary.md are in the order of the alphabet.
- Files that the pages name exist.
- Nobody is called "paper 1", and no notes are referred to that are not here.
"""

import pathlib
import re
import subprocess
import sys

# "Cirak and West (2005)", "(Bridson, Fedkiw and Anderson, 2002)",
# "(Harmon et al., 2008)": the first author, or the last part of the name, and
# the year.
CITATION = re.compile(
    r"([A-Z][a-z][\w-]*)(?:(?:, (?:[A-Za-z]+ )?[A-Z][\w-]+)*,? and "
    r"(?:[A-Za-z]+ )?[A-Z][\w-]+| et al\.)?,? \(?((?:18|19|20)\d\d)\b")
SOURCE = re.compile(r"^- ([^(]*)\((\d{4})\): ", re.MULTILINE)
ENTRY = re.compile(r"^- \*\*(.+?)\*\*", re.MULTILINE)
NAMED_FILE = re.compile(r"`([\w./-]+/[\w.-]*)`")
LINK = re.compile(r"\]\((?!https?:|#)([^)]+)\)")
FOREIGN = re.compile(r"\bpaper [1-9]\b|\bMETHODS-|\bDESIGN\b")
UNDOCUMENTED_DATA = re.compile(r"Member .* \(variable\) .* is not documented\.")


class Checker:
    def __init__(self, root):
        self.root = root
        self.messages = []

    def complain(self, where, message):
        self.messages.append(f"{where}: {message}")

    def name(self, file):
        return str(file.relative_to(self.root))

    def code(self):
        for folder in ("include", "source"):
            for suffix in ("h", "cc"):
                yield from sorted((self.root / folder).rglob("*." + suffix))

    def pages(self):
        yield self.root / "README.md"
        yield from sorted((self.root / "doc").glob("*.md"))

    def check_sources(self):
        sources = SOURCE.findall((self.root / "doc/sources.md").read_text())
        if not sources:
            self.complain("doc/sources.md", "lists nothing.")
        unused = set(sources)
        for file in self.code():
            # Comments as they would be read, without line ends.
            text = re.sub(r"\s*\n\s*(?:\*(?!/)|//)?\s*", " ", file.read_text())
            for author, year in CITATION.findall(text):
                found = {source for source in sources if source[1] == year
                         and author in re.split(r"[ ,.]+", source[0])}
                unused -= found
                if not found:
                    self.complain(self.name(file), f"{author} {year} is not in "
                                                   "doc/sources.md.")
        page = (self.root / "doc/sources.md").read_text()
        for authors, year in sorted(unused):
            entry = page[page.index(f"{authors}({year})"):].split("\n- ", 1)[0]
            if "planned" not in entry:
                self.complain("doc/sources.md",
                              f"no comment cites {authors.strip()} {year}.")

    def check_glossary(self):
        page = (self.root / "doc/glossary.md").read_text()
        for section in page.split("\n## "):
            words = [word.lower() for word in ENTRY.findall(section)]
            if not words:
                self.complain("doc/glossary.md", "a section has no entries.")
            for first, second in zip(words, words[1:]):
                if first >= second:
                    self.complain("doc/glossary.md",
                                  f"'{second}' must be before '{first}'.")

    def check_names_of_files(self):
        starts = (self.root, self.root / "include/ricochet",
                  self.root / "source")
        for page in self.pages():
            text = page.read_text()
            names = [name for name in NAMED_FILE.findall(text)
                     if name.endswith((".h", ".cc", ".py", ".md"))]
            for name in names:
                if not any((start / name).is_file() for start in starts):
                    self.complain(self.name(page), f"{name} does not exist.")
            for name in LINK.findall(text):
                if not (page.parent / name.split("#")[0]).exists():
                    self.complain(self.name(page), f"{name} does not exist.")

    def check_words(self):
        files = [*self.code(), *self.pages()]
        for folder in ("prm", "examples"):
            files += [file for file in sorted((self.root / folder).rglob("*"))
                      if file.suffix in (".prm", ".h", ".cc", ".txt")]
        for file in files:
            for word in FOREIGN.findall(file.read_text()):
                self.complain(self.name(file), f"'{word}' means nothing to "
                                               "readers; name the authors.")

    def check_doxygen(self, doxygen, doxyfile):
        strict = doxyfile.read_text() + """
            EXTRACT_ALL          = NO
            WARN_IF_UNDOCUMENTED = YES
            """
        run = subprocess.run([doxygen, "-"], input=strict, text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        lines = [line for line in run.stdout.splitlines() if line.strip()]
        for line in lines:
            if not UNDOCUMENTED_DATA.search(line):
                self.complain("Doxygen", line)
        if not (doxyfile.parent / "html/index.html").is_file():
            self.complain("Doxygen", "has written no pages.")


def main():
    checker = Checker(pathlib.Path(sys.argv[1]).resolve())
    checker.check_sources()
    checker.check_glossary()
    checker.check_names_of_files()
    checker.check_words()
    if len(sys.argv) > 2:
        checker.check_doxygen(sys.argv[2], pathlib.Path(sys.argv[3]))
    else:
        print("There is no Doxygen: the headers were not looked at.")
    for message in checker.messages:
        print(message)
    print(f"{len(checker.messages)} complaints.")
    return 1 if checker.messages else 0


if __name__ == "__main__":
    sys.exit(main())
