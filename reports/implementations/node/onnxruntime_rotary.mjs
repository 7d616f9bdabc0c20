// ONNX Runtime's com.microsoft.RotaryEmbedding, in float32. The operator is given its caches of cosines and
// sines: here those of float64, rounded once, so that what is seen is the operator's own error.

import {answer, require, requireType, Unsupported} from './exchange.mjs';
import {runOnnx} from './onnxruntime_session.mjs';

function caches({head_dim: width, rope_theta: base}, positions) {
  const pairs = width / 2;
  const cosines = new Float32Array(positions.length * pairs);
  const sines = new Float32Array(positions.length * pairs);
  for (let pair = 0; pair < pairs; ++pair) {
    const frequency = base ** (-2 * pair / width);
    positions.forEach((position, row) => {
      cosines[row * pairs + pair] = Math.cos(Number(position) * frequency);
      sines[row * pairs + pair] = Math.sin(Number(position) * frequency);
    });
  }
  return {cosines, sines, pairs};
}

await answer(async (request) => {
  const {spec, wanted, tensors: {positions, input}} = request;
  require(spec, {scheme: ['rope'], direction: ['counterclockwise'], rope_scaling: [undefined],
                 partial_rotary_factor: [undefined, 1]});
  requireType(request, 'float32');
  if (wanted.some(({role}) => role !== 'rotated')) {
    throw new Unsupported('tables: the operator rotates by tables that it is given');
  }
  const rows = positions.values.length;
  const {cosines, sines, pairs} = caches(spec, positions.values);
  const heads = input.values.length / (rows * spec.head_dim);
  const {values, version} = await runOnnx(
    {
      nodes: [{op: 'RotaryEmbedding', domain: 'com.microsoft', inputs: ['input', 'rows', 'cos', 'sin'],
               outputs: ['rotated'], attributes: {interleaved: spec.layout === 'interleaved' ? 1 : 0}}],
      inputs: [{name: 'input', type: 'float32', rank: 4}, {name: 'rows', type: 'int64', rank: 2},
               {name: 'cos', type: 'float32', rank: 2}, {name: 'sin', type: 'float32', rank: 2}],
      outputs: [{name: 'rotated', type: 'float32', rank: 4}]
    },
    {
      input: {values: input.values, shape: [1, heads, rows, spec.head_dim]},
      rows: {values: BigInt64Array.from(positions.values, (_, row) => BigInt(row)), shape: [1, rows]},
      cos: {values: cosines, shape: [rows, pairs]},
      sin: {values: sines, shape: [rows, pairs]}
    });
  return {implementation: `ONNX Runtime ${version}, com.microsoft.RotaryEmbedding`, values};
});
