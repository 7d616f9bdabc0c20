"""Judging what a class answered."""

import math

from .._library import InputError, VernierError, one_line
from .._verdict import check
from ._asked import Unjudged

# Fewer rows tell too little of a table: most faults of lengths and blocks begin later.
LEAST_ROWS = 64
_MOST_TEXT = 6000  # characters of a verdict that is kept


# The result of a class that came to none.
NOTHING = {"status": "cannot_be_judged", "sentence": "", "judged": 0, "rows": 0, "worst": None, "trials": []}


def judged_class(trials):
    """The result of a class: a dict. trials: its Trials."""
    results = []
    try:
        for trial in trials:
            results.append(_unjudged(trial) if isinstance(trial, Unjudged) else _judged(trial))
    except Unjudged as error:
        results.append(_unjudged(error))
    except Exception as error:  # whatever its library raises
        results.append({"what": "the rest", "status": "cannot_be_judged", "sentence": f"it raised {_short(error)}"})
    return _summary(results)


def _unjudged(why):
    return {"what": why.what, "status": "cannot_be_judged", "sentence": str(why)}


def _summary(results):
    refused = [one for one in results if one["status"] == "does_not_conform"]
    conforming = [one for one in results if one["status"] == "conforms"]
    unjudged = [one for one in results if one["status"] == "cannot_be_judged"]
    if refused:
        first = refused[0]
        others = f" (and {len(refused) - 1} more of {len(results)} tensors)" if len(refused) > 1 else ""
        return _result("does_not_conform", f"{first['what']}: {first['sentence']}{others}", results)
    if not conforming:
        why = unjudged[0]["sentence"] if unjudged else "it answered nothing"
        return _result("cannot_be_judged", why, results)
    rows = max(one["rows"] for one in conforming)
    if rows < LEAST_ROWS:
        return _result("cannot_be_judged", f"it answers {rows} rows at most, fewer than {LEAST_ROWS}", results)
    left = f"; {unjudged[0]['what']} could not be judged: {unjudged[0]['sentence']}" if unjudged else ""
    return _result("conforms", left.lstrip("; "), results)


def _result(status, sentence, results):
    worst = [one["worst"] for one in results if one.get("worst") is not None]
    return {"status": status, "sentence": sentence, "judged": sum(one["status"] != "cannot_be_judged" for one in results),
            "rows": sum(one.get("rows", 0) for one in results), "worst": max(worst, default=None), "trials": results}


def _judged(trial):
    told = {"what": trial.what, "source": trial.source}
    try:
        verdict = check(trial.spec, **trial.options, **trial.tensors)
    except InputError as error:
        return {**told, "status": "cannot_be_judged", "sentence": str(error).replace("vernier.check: ", "")}
    except VernierError as error:
        return {**told, "status": "cannot_be_judged", "sentence": one_line(error)}
    document = verdict.json
    ratios = [float(one["greatest_budget_ratio"]) for one in document["checks"] if one.get("greatest_budget_ratio") is not None]
    status = {0: "conforms", 1: "does_not_conform"}.get(verdict.exit_code, "cannot_be_judged")
    worst = max(filter(math.isfinite, ratios), default=None)  # beyond an exact value there is no ratio
    told.update(status=status, rows=document["rows"], worst=worst, encoding=document["encoding"],
                sentence="" if status == "conforms" else document["finding"] or document["summary"])
    if status != "conforms":
        told["verdict"] = verdict.full_text[:_MOST_TEXT]
    return told


def _short(error):
    text = one_line(error)
    return text if len(text) <= 200 else text[:197] + "..."
