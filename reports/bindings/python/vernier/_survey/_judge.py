"""Judging what a class answered."""

import math

from .._library import InputError, VernierError, one_line
from .._verdict import check
from ._asked import Unjudged

# Fewer rows tell too little of a table: most faults of lengths and blocks begin later.
LEAST_ROWS = 64
_MOST_TEXT = 6000  # characters of a verdict that is kept
# How a finding ends whose cause was not found.
_NO_CAUSE = "; why is unexplained"
# How trials name the format that was asked for.
_COARSE, _FINE = ", bfloat16", ", float32"

# The result of a class that came to none.
NOTHING = {"status": "cannot_be_judged", "sentence": "", "judged": 0, "rows": 0, "worst": None, "trials": []}


def judged_class(*askers):
    """The result of a class: a dict. askers: functions that return its Trials."""
    results = [result for asker in askers for result in _results(asker)]
    worst = [one["worst"] for one in results if one.get("worst") is not None]
    status, sentence = _summary(results)
    return {"status": status, "sentence": sentence, "judged": sum(one["status"] != "cannot_be_judged" for one in results),
            "rows": sum(one.get("rows", 0) for one in results), "worst": max(worst, default=None), "trials": results}


def _results(asker):
    try:
        for trial in asker():
            yield _unjudged(trial, trial.what) if isinstance(trial, Unjudged) else _judged(trial)
    except Unjudged as error:
        yield _unjudged(error, error.what)
    except MemoryError:
        yield _unjudged("it needs more memory than its process may take")
    except Exception as error:  # whatever its library raises
        text = one_line(error)
        yield _unjudged(f"it raised {text if len(text) <= 200 else text[:197] + '...'}")


def _unjudged(why, what="the rest"):
    return {"what": what, "status": "cannot_be_judged", "sentence": str(why)}


def _summary(results):
    """The status of a class by those of its trials, and a sentence."""
    refused, conforming, unjudged = [[one for one in results if one["status"] == status]
                                     for status in ("does_not_conform", "conforms", "cannot_be_judged")]
    if refused:
        first = next((one for one in refused if _COARSE not in one["what"]), refused[0])
        what, sentence = first["what"], first["sentence"]
        if what.replace(_COARSE, _FINE) in [one["what"] for one in conforming] and _COARSE in what:
            is_of_rounding = sentence.endswith(_NO_CAUSE) or "rounded" in sentence or "computed in" in sentence
            sentence = (sentence.removesuffix(_NO_CAUSE) + "; in float32 it conforms" +
                        (": compute in float32 and round the result once" if is_of_rounding else ""))
        others = f"; {len(conforming)} of {len(results)} tensors conform" if len(results) > 1 else ""
        return "does_not_conform", f"{what}: {sentence}{others}"
    if not conforming:
        return "cannot_be_judged", unjudged[0]["sentence"] if unjudged else "it answered nothing"
    rows = max(one["rows"] for one in conforming)
    if rows < LEAST_ROWS:
        return "cannot_be_judged", f"it answers {rows} rows at most, fewer than {LEAST_ROWS}"
    return "conforms", f"{unjudged[0]['what']} could not be judged: {unjudged[0]['sentence']}" if unjudged else ""


def _judged(trial):
    told = {"what": trial.what, "source": trial.source}
    try:
        verdict = check(trial.spec, **trial.options, **trial.tensors)
    except VernierError as error:
        sentence = str(error).replace("vernier.check: ", "") if isinstance(error, InputError) else one_line(error)
        return {**told, **_unjudged(sentence, trial.what)}
    document = verdict.json
    status = {0: "conforms", 1: "does_not_conform"}.get(verdict.exit_code, "cannot_be_judged")
    ratios = [float(one["greatest_budget_ratio"]) for one in document["checks"] if one.get("greatest_budget_ratio") is not None]
    told.update(status=status, sentence="" if status == "conforms" else document["finding"] or document["summary"],
                rows=document["rows"], encoding=document["encoding"],
                worst=max(filter(math.isfinite, ratios), default=None))  # beyond an exact value there is no ratio
    if status != "conforms":
        told["verdict"] = verdict.full_text[:_MOST_TEXT]
    return told
