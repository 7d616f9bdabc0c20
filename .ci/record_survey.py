"""Writes what the report's page Libraries shows: surveys as one, without the trials of any class but the first that does not conform.

Usage: .ci/record_survey.py SURVEY.json... > reports/report/pages/recorded_survey.json
"""

import json
import sys

from vernier._survey import Survey

surveys = [Survey.read(path) for path in sys.argv[1:]]
for survey in surveys:
    for _, one in survey.classes():
        one["trials"] = [trial for trial in one["trials"] if trial["status"] == "does_not_conform"][:1]
libraries = sorted((one for survey in surveys for one in survey.json["libraries"]),
                   key=lambda one: (one["library"] != "transformers", one["library"], one["version"]))
json.dump(Survey({**surveys[0].json, "libraries": libraries}).json, sys.stdout, indent=0)
print()
