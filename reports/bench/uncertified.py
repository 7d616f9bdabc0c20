"""What people do by hand: compares a case's float32 cos and sin with NumPy's float64. Proves nothing."""

import sys

import numpy

cosine, sine = numpy.load(sys.argv[1]), numpy.load(sys.argv[2])
positions, pairs = cosine.shape
base = float(sys.argv[3])
frequencies = base ** (-numpy.arange(pairs) / pairs)
phases = numpy.outer(numpy.arange(positions), frequencies)
print(numpy.abs(cosine - numpy.cos(phases)).max(), numpy.abs(sine - numpy.sin(phases)).max())
