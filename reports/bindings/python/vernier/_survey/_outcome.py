"""What a survey found: its lines, its documents, and what changed since an earlier one."""

import json
from xml.etree import ElementTree

from .._library import InputError

_WORDS = {"conforms": "conforms", "does_not_conform": "does not conform", "cannot_be_judged": "cannot be judged",
          "no_adapter": "cannot be judged"}
_NOTHING_JUDGED = 4


class Survey:
    """The results of libraries. It is true if something was judged and all of it conforms."""

    def __init__(self, document):
        self.json = document

    @classmethod
    def read(cls, path):
        try:
            with open(path, encoding="utf-8") as file:
                document = json.load(file)
        except (OSError, ValueError) as error:
            raise InputError(f"{path}: cannot be read as a survey ({error})") from error
        if not isinstance(document, dict) or document.get("survey") != 1:
            raise InputError(f'{path}: found no "survey": 1, expected the JSON of a survey')
        return cls(document)

    @property
    def exit_code(self):
        """0: all that was judged conforms; 1: something does not; 4: nothing could be judged."""
        statuses = [one["status"] for _, one in self.classes()]
        if "does_not_conform" in statuses:
            return 1
        return 0 if "conforms" in statuses else _NOTHING_JUDGED

    def __bool__(self):
        return self.exit_code == 0

    def classes(self):
        """Pairs of a library and one of its classes, both dicts."""
        return [(library, one) for library in self.json["libraries"] for one in library["classes"]]

    def counts(self, library):
        """How many classes of a library have each status."""
        return {status: sum(one["status"] == status for one in library["classes"]) for status in _WORDS}

    @property
    def text(self):
        """A line for each class, and one for each library."""
        lines = []
        for library in self.json["libraries"]:
            lines += [line_of(one) for one in library["classes"]]
            lines.append(_summary_of(library, self.counts(library)))
        return "\n".join(lines)

    __str__ = __repr__ = lambda self: self.text

    @property
    def junit(self):
        """A test suite for each library, a test case for each class."""
        root = ElementTree.Element("testsuites", name="vernier survey")
        for library in self.json["libraries"]:
            counts = self.counts(library)
            suite = ElementTree.SubElement(
                root, "testsuite", name=_titled(library), tests=str(len(library["classes"])),
                failures=str(counts["does_not_conform"]), errors="0",
                skipped=str(counts["cannot_be_judged"] + counts["no_adapter"]))
            for one in library["classes"]:
                case = ElementTree.SubElement(suite, "testcase", name=one["name"], classname=library["library"],
                                              file=one["file"], line=str(one["line"]), time=str(one.get("seconds", 0)))
                if one["status"] == "does_not_conform":
                    failure = ElementTree.SubElement(case, "failure", message=one["sentence"])
                    failure.text = next((trial["verdict"] for trial in one["trials"] if "verdict" in trial), "")
                elif one["status"] != "conforms":
                    ElementTree.SubElement(case, "skipped", message=one["sentence"])
        return ElementTree.tostring(root, encoding="unicode", xml_declaration=True)

    @property
    def sarif(self):
        """A result for each class that does not conform, at its line of the library's source."""
        results = [{
            "ruleId": "survey/does-not-conform", "level": "error", "message": {"text": f"{one['name']}: {one['sentence']}"},
            "locations": [{"physicalLocation": {"artifactLocation": {"uri": one["file"]},
                                                "region": {"startLine": one["line"]}}}],
        } for _, one in self.classes() if one["status"] == "does_not_conform"]
        driver = {"name": "vernier", "version": self.json["vernier"], "rules": [
            {"id": "survey/does-not-conform", "shortDescription": {"text": "A positional encoding differs from its definition"}}]}
        return json.dumps({"version": "2.1.0", "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
                           "runs": [{"tool": {"driver": driver}, "results": results}]}, indent=1)

    def changes(self, earlier):
        """A sentence for each class whose result differs from that of an earlier Survey."""
        sentences = []
        before = {(library["library"], one["name"]): (library["version"], one) for library, one in earlier.classes()}
        surveyed = {library["library"] for library in self.json["libraries"]}
        for library, one in self.classes():
            version, old = before.pop((library["library"], one["name"]), (None, None))
            if old is None:
                sentences.append(f"{one['name']}: new; {_told(one)}")
            elif (old["status"], old["sentence"]) != (one["status"], one["sentence"]):
                sentences.append(f"{one['name']}: {_told(one)}; in {version}: {_told(old)}")
        gone = [f"{name}: gone; in {version}: {_told(old)}"
                for (library, name), (version, old) in before.items() if library in surveyed]
        return sentences + gone


def line_of(one):
    """The line of a class."""
    return f"{one['name']} ({one['file']}:{one['line']}): {_told(one)}"


def _told(one):
    told = _WORDS[one["status"]]
    if one["status"] != "conforms":
        return f"{told}: {one['sentence']}"
    share = "" if one["worst"] is None else f", at most {100 * one['worst']:.3g} % of the budget"
    further = f"; {one['sentence']}" if one["sentence"] else ""
    return f"{told}: {one['judged']} trials, {one['rows']} rows{share}{further}"


def _titled(library):
    return f"{library['library']} {library['version']}".rstrip()


def _summary_of(library, counts):
    if library["problem"]:
        return f"{_titled(library)}: {library['problem']}"
    unjudged = counts["cannot_be_judged"] + counts["no_adapter"]
    return (f"{_titled(library)}: {len(library['classes'])} classes and functions with an encoding: {counts['conforms']} conform, "
            f"{counts['does_not_conform']} do not, {unjudged} cannot be judged")
