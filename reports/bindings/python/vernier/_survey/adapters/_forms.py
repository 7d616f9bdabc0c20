"""How definitions of PyTorch are asked: by a spec and a call, whose parameters say what it is given."""

import inspect

import torch

from .._asked import Trial, Unjudged
from ._asking import answer, formats
from ._formulas import DIM, IMAGE, ROWS, VIDEO, WIDTHS
from ._rotations import grid, of_pairs, pairs_of, positions, tables, vectors

# The roles of what schemes say. Others say an encoding.
_ROLES = {"window_index": "index", "log_coordinates": "coordinates", "alibi": "bias", "rope": "cos", "axial_rope": "cos",
          **dict.fromkeys(("t5_bucket", "deberta_bucket", "deberta_span", "shaw", "alphafold_bin"), "buckets")}


def ask(spec, call, at=None, told=None, over=None, reads=None, **options):
    """An asker of one spec, or of several that differ in some keys.

    call: of the definition; what it answers: a tensor, cosines and sines in any form, or tensors by role. Its further parameters
    say what it is given: at; length, of a table that is judged in its rows at these positions; vector, [1, rows, heads, width], or
    heads, [1, heads, rows, width], to rotate; exact phases of pairs; dtype, or any key of the spec. With a dtype, vector or heads
    it is asked in each format for the first spec.
    at: positions, [rows] or [axes, rows]. told: words for a spec. over: the keys in which specs differ; two widths if the call
    takes one that the spec has not. reads: of the definition and a scheme, further specs. options: those of vernier.check().
    """
    takes = list(inspect.signature(call).parameters)[1:]
    role = _ROLES.get(spec["scheme"], "encoding")
    is_rotated = "vector" in takes or "heads" in takes
    over = over or (WIDTHS if "d_model" in takes and "d_model" not in spec else ({},))
    at = _places(spec, role, takes) if at is None else at
    told = told or ("width {d_model}" if "d_model" in takes else "exact phases" if "phases" in takes else
                    "default arguments" if is_rotated or role != "cos" else "a grid" if at.dim() > 1 else f"{ROWS} rows")

    def asker(thing, dtypes):
        specs = [(told.format(**one), one, "formula") for one in ({**spec, **keys} for keys in over)]
        specs += [("default configuration", one, "configuration") for one in (reads(thing, spec["scheme"]) if reads else ())]
        for what, one, source in specs:
            by_format = is_rotated or "dtype" in takes
            for name in formats(dtypes) if by_format and one is specs[0][1] else ["float32"]:
                dtype, words = getattr(torch, name), f"{what}, {name}" if by_format else what
                known = {"at": at, "length": None if at is None else int(at.max()) + 1, "dtype": dtype, **one}
                given = {name: known[name] for name in takes if name in known}
                if "phases" in takes:
                    given["phases"] = at[:, None].double() * 10000.0 ** (-torch.arange(DIM // 2).double() / (DIM // 2))
                try:
                    if is_rotated:
                        rotate = _rotation(call, thing, given, "heads" in takes)
                        yield from vectors(words, one, rotate, one["head_dim"], at, dtype, source, **options)
                        continue
                    with torch.no_grad():
                        found = call(thing, **given)
                    yield trial(words, one, found.reshape(-1, found.shape[-1])[at] if "length" in takes else found, at, source,
                                **options)
                except Unjudged as error:
                    yield Unjudged(str(error), what)

    return asker


def _places(spec, role, takes):
    """Positions to ask for where a row names none."""
    if "phases" in takes:
        return positions(ROWS)
    if "length" in takes:
        return chosen(2048)
    if role == "cos":
        axes = len(spec.get("axes", ()))
        return grid(*{2: IMAGE, 3: VIDEO}[axes]) if axes > 1 else torch.arange(ROWS)
    return torch.arange(-600, 601) if role == "buckets" else None


def _rotation(call, thing, given, by_heads):
    """A function of vectors [1, heads, rows, width]."""
    if by_heads:
        return lambda vector: call(thing, heads=vector, **given)
    return lambda vector: call(thing, vector=vector.transpose(1, 2), **given).transpose(1, 2)


def trial(what, spec, found, at=None, source="formula", **options):
    """A Trial of what a definition answered: see ask()."""
    role = _ROLES.get(spec["scheme"], "encoding")
    if role == "cos" and not isinstance(found, dict):
        return tables(what, spec, *[of_pairs(one, pairs_of(spec)) for one in answered(found)], at, source, **options)
    if role == "encoding":
        found = {role: found.detach().reshape(-1, found.shape[-1]).contiguous(), **({} if at is None else {"positions": at})}
    elif role == "buckets":
        found = {role: found.flatten().long(), "relative_positions": at.flatten()}
    return Trial(what, spec, found if isinstance(found, dict) else {role: found.detach()}, options, source)


def answered(answer):
    """Cosines and sines [rows, columns] of any form of an answer: complex numbers, matrices of turns, phases, or two tables."""
    if torch.is_tensor(answer) and answer.is_complex():
        answer = answer.real, answer.imag
    elif torch.is_tensor(answer) and answer.shape[-2:] == (2, 2):
        answer = answer[..., 0, 0], answer[..., 1, 0]
    elif torch.is_tensor(answer):  # cosines and sines of each pair, or phases
        answer = (answer[..., 0], answer[..., 1]) if answer.shape[-1] == 2 else (answer.cos(), answer.sin())
    return [one.detach().reshape(-1, one.shape[-1]) for one in answer]


def of_one_spec(spec, calls):
    """Rows of one spec. calls: of definitions, by patterns."""
    return [(pattern, ask(spec, call)) for pattern, call in calls.items()]


def xpos(call):
    """An asker of xPos, whose centre is half the length, rounded down. call: of the class, of queries and keys; both, turned."""
    def roles(thing):
        torch.manual_seed(0)
        queries, keys = torch.randn(2, 1, 2, 257, DIM)
        turned_queries, turned_keys = [one.detach()[0] for one in call(thing, queries, keys)]
        return {"input": queries[0], "rotated": turned_queries, "input_k": keys[0], "rotated_k": turned_keys,
                "positions": torch.arange(257)}

    spec = {"scheme": "xpos", "head_dim": DIM, "sequence_length": 257, "centre": "x_transformers"}
    return answer(spec, roles, "queries and keys, use_xpos, float32")


def unit(phases):
    """Complex numbers of phases."""
    return torch.polar(torch.ones_like(phases), phases).to(torch.complex64)


def doubled(phases, layout="interleaved"):
    return phases.repeat_interleave(2, -1) if layout == "interleaved" else torch.cat((phases, phases), -1)


def cos_sin(phases, layout="interleaved"):
    """Tables with a column for each element of a pair."""
    return doubled(phases, layout).cos().float(), doubled(phases, layout).sin().float()


def chosen(count):
    """Some of the rows from 0 to count - 1: the first 64, and others up to the last."""
    return torch.cat((torch.arange(64), torch.linspace(64, count - 1, 64).long()))
