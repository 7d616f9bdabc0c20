// The sinusoidal table and RoPE in TensorFlow.js, on the backend that the argument names: cpu (plain
// JavaScript) or wasm. Tensors are float32.

import {answer, require, requireType, Unsupported, widened} from './exchange.mjs';

function phasesOf(tf, positions, width, base) {
  const exponents = tf.div(tf.range(0, width, 2), width);
  const frequencies = tf.div(1, tf.pow(base, exponents));
  return tf.outerProduct(tf.tensor1d(Float32Array.from(positions, Number)), frequencies);
}

function sinusoidal(tf, {spec, wanted, tensors: {positions}}) {
  require(spec, {layout: ['interleaved'], order: ['sin_cos'], frequency: ['paper'], padding_idx: [null], scale: [1]});
  const rows = positions.values.length;
  const phases = phasesOf(tf, positions.values, spec.d_model, spec.base);
  const pairs = tf.stack([tf.sin(phases), tf.cos(phases)], 2);
  const table = tf.slice(tf.reshape(pairs, [rows, -1]), [0, 0], [rows, spec.d_model]);
  return Object.fromEntries(wanted.map(({role}) => [role, table.dataSync()]));
}

function rotated(tf, {values, shape}, cosines, sines) {
  const [first, second] = tf.split(tf.reshape(tf.tensor(values, shape), [-1, ...shape.slice(-2)]), 2, 2);
  return tf.concat([tf.sub(tf.mul(first, cosines), tf.mul(second, sines)),
                    tf.add(tf.mul(first, sines), tf.mul(second, cosines))], 2);
}

function rope(tf, {spec, wanted, tensors: {positions, input}}) {
  require(spec, {layout: ['half'], direction: ['counterclockwise'], rope_scaling: [undefined],
                 partial_rotary_factor: [undefined, 1]});
  const phases = phasesOf(tf, positions.values, spec.head_dim, spec.rope_theta);
  const cosines = tf.cos(phases);
  const sines = tf.sin(phases);
  const table = {cos: cosines, sin: sines};
  return Object.fromEntries(wanted.map(({role, shape}) => [
    role,
    role === 'rotated' ? rotated(tf, input, cosines, sines).dataSync()
                       : widened(table[role].dataSync(), ...phases.shape, shape.at(-1))
  ]));
}

await answer(async (request) => {
  const backend = process.argv[2];
  const tf = await import('@tensorflow/tfjs-core');
  await import(`@tensorflow/tfjs-backend-${backend}`);
  await tf.setBackend(backend);
  requireType(request, 'float32');
  const compute = {sinusoidal, rope}[request.spec.scheme];
  if (!compute) {
    throw new Unsupported(`scheme ${request.spec.scheme}`);
  }
  tf.engine().startScope();  // whose end frees the tensors of this question
  const values = compute(tf, request);
  tf.engine().endScope();
  return {implementation: `TensorFlow.js ${tf.version_core}, ${backend} backend`, values};
});
