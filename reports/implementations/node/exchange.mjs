// Reads requests and writes responses of Vernier: safetensors files, with what is asked in their metadata.

import {readFileSync, writeFileSync} from 'node:fs';
import {createInterface} from 'node:readline';

const arrays = {F64: Float64Array, F32: Float32Array, I64: BigInt64Array, I32: Int32Array};
const fileNames = {float64: 'F64', float32: 'F32', int64: 'I64', int32: 'I32'};

/** What is asked is not what this implementation does; the message says what. */
export class Unsupported extends Error {}

/** The spec, what is wanted, and the tensors by name: {shape, values}, values a typed array. */
function readRequest(path) {
  const data = readFileSync(path);
  const start = 8 + Number(data.readBigUInt64LE(0));
  const {__metadata__: metadata, ...header} = JSON.parse(data.toString('utf8', 8, start));
  const tensors = {};
  for (const [name, {dtype, shape, data_offsets: [first, last]}] of Object.entries(header)) {
    const ValueArray = arrays[dtype];
    if (!ValueArray) {
      throw new Unsupported(`tensors of type ${dtype}`);
    }
    // A copy, as a typed array must start at a multiple of its element's size.
    tensors[name] = {shape, values: new ValueArray(new Uint8Array(data.subarray(start + first, start + last)).buffer)};
  }
  return {spec: JSON.parse(metadata.spec), wanted: JSON.parse(metadata.wanted), tensors};
}

function writeResponse(path, metadata, tensors) {
  const header = {__metadata__: metadata};
  let end = 0;
  for (const {role, dtype, shape, values} of tensors) {
    header[role] = {dtype: fileNames[dtype], shape, data_offsets: [end, end + values.byteLength]};
    end += values.byteLength;
  }
  const text = Buffer.from(JSON.stringify(header));
  const padded = Buffer.alloc(Math.ceil(text.length / 8) * 8, ' ');
  text.copy(padded);
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(padded.length));
  writeFileSync(path, Buffer.concat(
    [length, padded, ...tensors.map(({values}) => Buffer.from(values.buffer, values.byteOffset, values.byteLength))]));
}

/** Refuses a spec that has another value than one of these, key by key. */
export function require(spec, allowed) {
  for (const [key, values] of Object.entries(allowed)) {
    if (!values.includes(spec[key])) {
      throw new Unsupported(`${key} ${JSON.stringify(spec[key])}`);
    }
  }
}

/** Every type wanted must be this one. */
export function requireType({wanted}, dtype) {
  const other = wanted.find((tensor) => tensor.dtype !== dtype);
  if (other) {
    throw new Unsupported(`type ${other.dtype}`);
  }
}

/** Each row followed by itself, where the wanted table is twice as wide as the computed one. */
export function widened(values, rows, columns, wantedColumns) {
  if (columns === wantedColumns) {
    return values;
  }
  const result = new values.constructor(rows * wantedColumns);
  for (let row = 0; row < rows; ++row) {
    const part = values.subarray(row * columns, (row + 1) * columns);
    result.set(part, row * wantedColumns);
    result.set(part, row * wantedColumns + columns);
  }
  return result;
}

/** What the line of an answer says beside its id: nothing if the response is there. */
async function answered(compute, {request: requestPath, response: responsePath}) {
  try {
    const request = readRequest(requestPath);
    const {implementation, values} = await compute(request);
    writeResponse(responsePath, {implementation},
                  request.wanted.map((wanted) => ({...wanted, values: values[wanted.role]})));
    return {};
  } catch (error) {
    const reason = error.message.split('\n')[0];
    const isUnsupported = error instanceof Unsupported || error.code === 'ERR_MODULE_NOT_FOUND';
    return isUnsupported ? {unsupported: reason} : {rejected: reason};
  }
}

/**
 * Answers every line of standard input that names a request. `compute(request)` gives {implementation, values}:
 * its name and version, and a typed array a role; or throws Unsupported. A package that is missing is
 * unsupported too.
 */
export async function answer(compute) {
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = process.stderr.write.bind(process.stderr);  // what a library prints is no answer
  for await (const line of createInterface({input: process.stdin})) {
    const question = JSON.parse(line);
    write(`${JSON.stringify({id: question.id, ...await answered(compute, question)})}\n`);
  }
}
