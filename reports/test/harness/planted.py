"""Faults that are planted into a definition, the rounding or a table. The comparison must see each in its scheme."""

from contextlib import contextmanager

import formats
import scalings
import tables
import token_positions
import waves
from library import Library

FAULTS = {}


@contextmanager
def replaced(owner, name, change):
    """While it lasts, owner.name is what `change` makes of it."""
    was = getattr(owner, name)
    setattr(owner, name, change(was))
    try:
        yield
    finally:
        setattr(owner, name, was)


def fault(scheme, owner, name):
    """Lists a change of `owner.name` that shows in `scheme`."""
    def listed(change):
        FAULTS[change.__name__] = scheme, lambda: replaced(owner, name, change)
        return change
    return listed


@fault("alibi", Library, "table")
def spoiled_element(table):
    def spoiled(*arguments):
        data = table(*arguments)
        data[len(data) // 2] ^= 1
        return data
    return spoiled


@fault("sinusoidal", formats, "pattern_of")
def cut_off(rounded):
    """Toward zero."""
    return lambda n, bits, form: rounded(max(n - (n >> form.precision + 1), 0), bits, form)


@fault("rope", scalings, "geometric")
def float64_frequencies(geometric):
    form = formats.FORMATS["float64"]
    return lambda *arguments: [formats.value_of(formats.nearest(w, form), form) for w in geometric(*arguments)]


@fault("sinusoidal", waves, "geometric")
def next_exponent(geometric):
    return lambda base, count, divisor: geometric(base, count, divisor + 1)


@fault("rope", scalings.Rotation, "plain")
def base_off_by_a_millionth(plain):
    return lambda self, base: plain(self, base * 1000001 / 1000000)


@fault("t5_bucket", tables, "log_ratio")
def edges_moved(log_ratio):
    return lambda *arguments: (log_ratio(*arguments)[1] - 1,) * 2


@fault("alibi", tables, "alibi_slopes")
def slopes_in_turn(slopes):
    return lambda heads, most=8: [2 ** -(most * scalings.Fraction(h + 1, heads)) if heads & heads - 1 == 0 else scalings.Fraction(1, h + 2)
                                  for h in range(heads)]


@fault("resampled", tables, "keys_kernel")
def another_kernel(kernel):
    return lambda x, a: kernel(x, a + scalings.Fraction(1, 10 ** 6))


@fault("position_ids", token_positions, "block")
def columns_first(block):
    return lambda sizes, starts: block((sizes[0], sizes[2], sizes[1]), starts)
