"""Position ids: what each project's code, as the manual's page of specs quotes it, gives the tokens of a sequence."""

from fractions import Fraction
from itertools import product

from scalings import rational


def block(sizes, starts):
    return [tuple(s + x for s, x in zip(starts, at)) for at in product(*map(range, sizes))]


def counted(spec):
    """Rules whose segments start where others ended: Qwen-VL's family."""
    rule, merge = spec["rule"], spec.get("spatial_merge_size", 2)
    tokens, start = [], 0

    def seconds(segment, t):
        step, rounding = rational(segment.get("seconds_per_grid", 1)), spec.get("temporal_rounding", "product")
        per_second = spec["tokens_per_second"]
        if rounding == "interval":
            return int(step) * t * per_second
        exact = step * t * per_second
        return int(exact) if rounding == "product" else (2 * exact + 1) // 2

    def visual(size, segment, is_video):
        nonlocal start
        frames, rows, columns = size[0], size[1] // merge, size[2] // merge
        if rule == "ernie4_5_vl" and is_video:
            frames //= spec.get("temporal_merge_size", 2)
        timed = rule in ("qwen2_5_vl", "qwen2_5_omni", "qwen3_omni")
        times = [(seconds(segment, t) if is_video else 0) if timed else t for t in range(frames)]
        new = [(start + t, start + y, start + x) for t in times for y in range(rows) for x in range(columns)]
        tokens.extend(new)
        most = max(max(one) for one in new)
        start = {"after_greatest": most + 1, "at_greatest": most, "after_grid": start + max(rows, columns)}[spec.get("next_start", "after_greatest")]
    for segment in spec["segments"]:
        length = segment.get("text") or segment.get("audio")
        if length:
            tokens += [(start + i,) * 3 for i in range(length)]
            start += length
            continue
        size = segment.get("video") or segment["image"]
        if rule in ("qwen3_vl", "glm4v") and "video" in segment:
            for _ in range(size[0]):
                visual([1, *size[1:]], segment, True)
        else:
            visual(size, segment, "video" in segment)
    return tokens


def placed(spec):
    """Rules that number the images."""
    rule, tokens, images, i, height, width = spec["rule"], [], 0, 0, 0, 0
    sizes = [segment.get("image") or segment.get("video") for segment in spec["segments"] if not segment.get("text")]
    texts = sum(segment.get("text") or 0 for segment in spec["segments"])
    z_start = 1
    for segment in spec["segments"]:
        length = segment.get("text")
        if length:
            if rule in ("flux", "flux_stitched", "flux_diagonal"):
                tokens += [(0, 0, 0)] * length
            elif rule == "flux2":
                tokens += [(0, 0, 0, i + k) for k in range(length)]
            elif rule == "lumina2":
                tokens += [(i + k, 0, 0) for k in range(length)]
            elif rule == "z_image":
                filled = -(-length // 32) * 32
                tokens += [(z_start + k, 0, 0) for k in range(filled)]
                z_start += filled
            elif rule == "qwen_image":
                longest = max(max(size[1:]) for size in sizes)
                first = longest if spec.get("centre") == "none" else longest // 2
                tokens += [(first + i + k,) * 3 for k in range(length)]
            i += length
            continue
        frames, rows, columns = segment.get("image") or segment["video"]
        if rule == "flux":
            tokens += block((frames, rows, columns), (min(images, 1), 0, 0))
        elif rule in ("flux_stitched", "flux_diagonal"):
            down = across = 0
            if images and rule == "flux_stitched":
                if rows + height > columns + width:
                    across = width
                else:
                    down = height
                height, width = max(height, rows + down), max(width, columns + across)
            elif rule == "flux_diagonal":
                down, across = height, width
                height, width = height + rows, width + columns
            tokens += block((frames, rows, columns), (min(images, 1) if rule == "flux_stitched" else 0, down, across))
        elif rule == "flux2":
            tokens += [(10 * images, y, x, 0) for _, y, x in block((frames, rows, columns), (0, 0, 0))]
        elif rule == "lumina2":
            tokens += [(texts, y, x) for _, y, x in block((frames, rows, columns), (0, 0, 0))]
        elif rule == "z_image":
            new = block((frames, rows, columns), (z_start, 0, 0))
            tokens += new + [(0, 0, 0)] * (-len(new) % 32)
        elif rule == "qwen_image":
            centre = spec.get("centre", "rounded_up")
            down, across = (0 if centre == "none" else -(n // 2) if centre == "rounded_down" else -(n - n // 2) for n in (rows, columns))
            tokens += block((frames, rows, columns), (images, down, across))
        else:
            tokens += block((frames, rows, columns), (0, 0, 0))
        images += 1
    return tokens


def in_line(spec):
    """Rules of one axis."""
    rule, tokens, start = spec["rule"], [], 0
    for segment in spec["segments"]:
        tokens += [(start + k,) for k in range(segment["text"])]
        start = 0 if rule == "packed" else start + segment["text"]
    if rule == "draft_tree":
        places = [tokens[-1][0]]
        for parent in spec["parents"]:
            places.append(places[parent] + 1)
        tokens += [(p,) for p in places[1:]]
    return tokens


def of_rank(tokens, spec):
    ranks, rank, shards, size = spec["ranks"], spec["rank"], spec.get("shards", "contiguous"), spec.get("block", 1)
    if shards == "round_robin":
        return [one for i, one in enumerate(tokens) if i // size % ranks == rank]
    pieces = 2 * ranks if shards == "zigzag" else ranks
    run = len(tokens) // pieces
    mine = (rank, 2 * ranks - 1 - rank) if shards == "zigzag" else (rank,)
    return [one for k in mine for one in tokens[k * run:(k + 1) * run]]


RULES = dict.fromkeys(("qwen2_vl", "qwen2_5_vl", "qwen2_5_omni", "qwen3_omni", "qwen3_vl", "glm4v", "ernie4_5_vl"), counted)
RULES |= dict.fromkeys(("flux", "flux_stitched", "flux_diagonal", "flux2", "qwen_image", "lumina2", "z_image", "grid"), placed)
RULES |= dict.fromkeys(("text", "packed", "draft_tree"), in_line)


def tokens_of(spec):
    tokens = RULES[spec["rule"]](spec)
    tokens = [(spec.get("padding_position", 1),) * len(tokens[0])] * spec.get("left_padding", 0) + tokens
    shift = spec.get("shift", 0)
    tokens = tokens[shift:] + [(0,) * len(tokens[0])] * min(shift, len(tokens))
    if spec.get("ranks", 1) > 1:
        tokens = of_rank(tokens, spec)
    return tokens


def position_ids(spec):
    tokens = tokens_of(spec)
    return {"position_ids": lambda positions, shape: [Fraction(x) for p in positions for x in tokens[p]]}


DEFINITIONS = {"position_ids": position_ids}
