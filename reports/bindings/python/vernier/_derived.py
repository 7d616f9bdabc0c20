"""Tables of cosines and sines that other tensors make: inverse frequencies, and complex numbers."""

import array
import json
import math

from ._library import InputError, tensors_of
from ._parts import flat_numbers, phasors
from ._table import table
from ._tensors import HostTensor, positions_tensor

# Frequencies are judged by the tables that they make: at the first positions, and far out, where they differ most.
FIRST_POSITIONS = 24
_FAR_POSITIONS, _FARTHEST = 16, 1 << 17


def far_positions(text):
    """The positions at which frequencies are judged that are meant to follow this spec."""
    spec = json.loads(text) if text.lstrip()[:1] == "{" else {}
    end = min(spec.get("sequence_length") or spec.get("max_position_embeddings") or _FARTHEST, _FARTHEST)
    step = max(1, end // _FAR_POSITIONS)
    first = list(range(min(FIRST_POSITIONS, end)))
    return first + [one for one in range(step, end, step) if one >= len(first)]


def tables_at(positions, values, amplitude):
    """The tables of these frequencies in float64, by their roles."""
    cosines, sines = array.array("d"), array.array("d")
    for position in positions:
        for value in values:
            cosines.append(amplitude * math.cos(position * value))
            sines.append(amplitude * math.sin(position * value))
    shape = [len(positions), len(values)]
    return {role: HostTensor(memoryview(one).cast("B").cast("d", shape), role)
            for role, one in (("cos", cosines), ("sin", sines))}


def tables_of_frequencies(text, source, layer, tensors):
    """The tables of inv_freq, and their positions."""
    others = sorted(role for role, one in tensors.items() if one is not None and role != "inv_freq")
    if others:
        raise InputError(f"inv_freq: found {', '.join(others)} beside it, expected inverse frequencies alone")
    values = flat_numbers(tensors["inv_freq"], "inv_freq")
    wild = next((i for i, one in enumerate(values) if not math.isfinite(one)), None)
    if wild is not None:
        raise InputError(f"inv_freq: found {values[wild]} at {wild}, expected finite numbers")
    options = {"layer": None if layer is None else str(layer), "source": source}
    first = positions_tensor([0])
    pairs = min((one["shape"][-1] for one in tensors_of(text, options, first.tensor)
                 if one["role"] == "cos"), default=None)
    if pairs is None:
        raise InputError("inv_freq: found frequencies, expected a tensor of the encoding, which has none")
    if len(values) != pairs:
        raise InputError(f"inv_freq: found {len(values)} frequencies, expected {pairs}, one for each pair")
    positions = far_positions(text)
    amplitude = table(text, "cos", [0], "float64", columns=pairs, layer=layer).tolist()[0][0]
    return {**tables_at(positions, values, amplitude), "positions": positions_tensor(positions)}


def tables_of_phasors(tensor, role):
    """Cosines and sines of a complex tensor, or of one whose last dimension has both."""
    try:
        return phasors(tensor, role)
    except InputError as error:
        raise InputError(f"{role}: {error}".replace(f"{role}: {role}: ", f"{role}: ")) from error
