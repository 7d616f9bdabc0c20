"""The results of a survey: its lines, its documents, and what changed since an earlier one."""

import json
from xml.etree import ElementTree

from .._library import InputError

_WORDS = {"conforms": "conforms", "does_not_conform": "does not conform", "cannot_be_judged": "cannot be judged",
          "no_adapter": "cannot be judged", "no_encoding": "holds no encoding"}
_NOTHING_JUDGED = 4


class Survey:
    """The results of libraries. It is true if something was judged and all of it conforms.

    json: the document. Beside the results it has the sentences that lines and pages show: `told` of each class and library, and
    the rows of the table by kind of encoding.
    """

    def __init__(self, document):
        for library in document["libraries"]:
            classes = library["classes"]
            classes.sort(key=lambda one: list(_WORDS).index(one["status"]))
            for one in classes:
                one["told"] = _told(one)
            library["told"] = library["problem"] or _summary_of(classes)
            library["kinds"] = [_row_of(kind, [one for one in classes if one["kind"] == kind])
                                for kind in sorted({one["kind"] for one in classes})]
        document["headline"] = _headline_of([one["classes"] for one in document["libraries"] if not one["problem"]])
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
        try:
            return cls(document)
        except (KeyError, TypeError, ValueError) as error:
            raise InputError(f"{path}: lacks what a survey has ({error})") from error

    @property
    def exit_code(self):
        """0: all that was judged conforms; 1: something does not; 4: nothing could be judged."""
        conforming, refused, _ = _counts(one for _, one in self.classes())
        return 1 if refused else 0 if conforming else _NOTHING_JUDGED

    def __bool__(self):
        return self.exit_code == 0

    def classes(self):
        """Pairs of a library and one of its classes, both dicts."""
        return [(library, one) for library in self.json["libraries"] for one in library["classes"]]

    @property
    def text(self):
        """A line for each class, and one for each library."""
        lines = []
        for library in self.json["libraries"]:
            lines += [line_of(one) for one in library["classes"]]
            lines.append(f"{_titled(library)}: {library['told']}")
            if "since" in library:
                lines.append(f"{len(library['changes'])} changed since {library['since']}")
                lines += [f"  {one}" for one in library["changes"]]
        return "\n".join(lines)

    __str__ = __repr__ = lambda self: self.text

    @property
    def junit(self):
        """A test suite for each library, a test case for each class."""
        root = ElementTree.Element("testsuites", name="vernier survey")
        for library in self.json["libraries"]:
            conforming, refused, _ = _counts(library["classes"])
            total = len(library["classes"])
            suite = ElementTree.SubElement(root, "testsuite", name=_titled(library), tests=str(total), failures=str(refused),
                                           errors="0", skipped=str(total - conforming - refused))
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
        rule = "survey/does-not-conform"
        results = [{"ruleId": rule, "level": "error", "message": {"text": f"{one['name']}: {one['sentence']}"}, "locations": [
            {"physicalLocation": {"artifactLocation": {"uri": one["file"]}, "region": {"startLine": one["line"]}}}]}
            for _, one in self.classes() if one["status"] == "does_not_conform"]
        driver = {"name": "vernier", "version": self.json["vernier"], "rules": [
            {"id": rule, "shortDescription": {"text": "A positional encoding differs from its definition"}}]}
        return json.dumps({"version": "2.1.0", "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
                           "runs": [{"tool": {"driver": driver}, "results": results}]}, indent=1)

    def compare(self, earlier):
        """Adds to each library what changed since its version in an earlier Survey: a sentence for each class that differs."""
        for library in self.json["libraries"]:
            for old in earlier.json["libraries"]:
                if old["library"] == library["library"]:
                    library["since"], library["changes"] = old["version"], _changes(old["classes"], library["classes"])


def _changes(earlier, later):
    before = {one["name"]: one for one in earlier}
    sentences = []
    for one in later:
        old = before.pop(one["name"], None)
        if old is None:
            sentences.append(f"{one['name']} is new: {one['told']}")
        elif (old["status"], old["sentence"]) != (one["status"], one["sentence"]):
            sentences.append(f"{one['name']}: {one['told']} (before: {old['told']})")
    return sentences + [f"{name} is gone (before: {old['told']})" for name, old in before.items()]


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


def _counts(classes):
    """How many conform, how many do not, and how many cannot be judged."""
    words = [_WORDS[one["status"]] for one in classes]
    return [words.count(word) for word in ("conforms", "does not conform", "cannot be judged")]


def _summary_of(classes):
    conforming, refused, unjudged = _counts(classes)
    total = conforming + refused + unjudged
    others = f"; {len(classes) - total} more look alike and hold none" if len(classes) > total else ""
    return f"{total} definitions of an encoding: {conforming} conform, {refused} do not, {unjudged} cannot be judged{others}"


def _row_of(kind, classes):
    """A row of the table by kind: texts."""
    conforming, refused, unjudged = _counts(classes)
    worst = [one["worst"] for one in classes if one["status"] == "conforms" and one["worst"] is not None]
    share = f"{100 * max(worst):.3g}" if worst else ""
    return [kind, *map(str, (conforming + refused, conforming, refused, unjudged)), share]


def _headline_of(libraries):
    """libraries: the classes of each."""
    conforming, refused, unjudged = _counts(sum(libraries, []))
    versions = "1 library version" if len(libraries) == 1 else f"{len(libraries)} library versions"
    return (f"{conforming} of {conforming + refused} judged encodings of {versions} conform, {refused} do not; "
            f"{unjudged} could not be judged")
