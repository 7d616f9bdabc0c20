"""vernier.survey() and `python -m vernier survey LIBRARY`: is each positional encoding of an installed library right?"""

from ._asked import DTYPES, Subject, Trial, Unjudged
from ._command import main
from ._outcome import Survey
from ._run import libraries, survey

__all__ = ["DTYPES", "Subject", "Survey", "Trial", "Unjudged", "libraries", "main", "survey"]
