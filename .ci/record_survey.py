"""Writes what the report's page Libraries shows: surveys as one, without the trials that conform.

Usage: .ci/record_survey.py SURVEY.json... > reports/report/pages/recorded_survey.json
"""

import json
import sys

from vernier._survey import Survey

surveys = [Survey.read(path).brief() for path in sys.argv[1:]]
libraries = sorted((one for survey in surveys for one in survey["libraries"]),
                   key=lambda one: (one["library"] != "transformers", one["library"], one["version"]))
json.dump(Survey({**surveys[0], "libraries": libraries}).json, sys.stdout, indent=0)
print()
