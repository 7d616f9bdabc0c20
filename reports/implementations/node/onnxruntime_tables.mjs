// Tables of RoPE by ONNX Runtime's standard operators, as an exported model computes them in float32:
// 1 / Pow(base, 2i/d), Mul by the position, Cos and Sin.

import {answer, require, requireType, Unsupported, widened} from './exchange.mjs';
import {runOnnx} from './onnxruntime_session.mjs';

await answer(async (request) => {
  const {spec, wanted, tensors: {positions}} = request;
  require(spec, {scheme: ['rope'], rope_scaling: [undefined], partial_rotary_factor: [undefined, 1]});
  requireType(request, 'float32');
  if (wanted.some(({role}) => role !== 'cos' && role !== 'sin')) {
    throw new Unsupported('applications: these are tables');
  }
  const rows = positions.values.length;
  const pairs = spec.head_dim / 2;
  const {values, version} = await runOnnx(
    {
      nodes: [{op: 'Pow', inputs: ['base', 'exponents'], outputs: ['periods']},
              {op: 'Reciprocal', inputs: ['periods'], outputs: ['frequencies']},
              {op: 'Mul', inputs: ['positions', 'frequencies'], outputs: ['phases']},
              {op: 'Cos', inputs: ['phases'], outputs: ['cos']}, {op: 'Sin', inputs: ['phases'], outputs: ['sin']}],
      inputs: [{name: 'base', type: 'float32', rank: 1}, {name: 'exponents', type: 'float32', rank: 1},
               {name: 'positions', type: 'float32', rank: 2}],
      outputs: [{name: 'cos', type: 'float32', rank: 2}, {name: 'sin', type: 'float32', rank: 2}]
    },
    {
      base: {values: Float32Array.of(spec.rope_theta), shape: [1]},
      exponents: {values: Float32Array.from({length: pairs}, (_, i) => 2 * i / spec.head_dim), shape: [pairs]},
      positions: {values: Float32Array.from(positions.values, Number), shape: [rows, 1]}
    });
  return {
    implementation: `ONNX Runtime ${version}, Pow, Sin and Cos`,
    values: Object.fromEntries(
      wanted.map(({role, shape}) => [role, widened(values[role], rows, pairs, shape.at(-1))]))
  };
});
