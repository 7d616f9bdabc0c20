// A model run by ONNX Runtime on the processor.

import {onnxModel} from './onnx_model.mjs';

const sessions = new Map();  // by the model: one is made once, and kept as programs keep it

async function sessionOf(onnxruntime, model) {
  const key = JSON.stringify(model);
  if (!sessions.has(key)) {
    sessions.set(key, await onnxruntime.InferenceSession.create(onnxModel(model), {executionProviders: ['cpu']}));
  }
  return sessions.get(key);
}

/** Runs a model once. `feeds`: {values, shape} by name. Gives typed arrays by name, and the version. */
export async function runOnnx(model, feeds) {
  const {default: onnxruntime} = await import('onnxruntime-node');
  const session = await sessionOf(onnxruntime, model);
  const tensors = Object.fromEntries(model.inputs.map(
    ({name, type}) => [name, new onnxruntime.Tensor(type, feeds[name].values, feeds[name].shape)]));
  const results = await session.run(tensors);
  const values = Object.fromEntries(Object.entries(results).map(([name, tensor]) => [name, tensor.data]));
  return {values, version: onnxruntime.env.versions.node};
}
