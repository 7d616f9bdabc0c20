// RoPE in JavaScript, to be judged: vernier validate --spec rope.json --exec 'node rope.mjs {request} {response}'
import { readFileSync, writeFileSync } from "node:fs";

const data = readFileSync(process.argv[2]); // safetensors: the header's length, a JSON header, the tensors' bytes
const start = 8 + Number(data.readBigUInt64LE(0));
const header = JSON.parse(data.toString("utf8", 8, start));
const spec = JSON.parse(header.__metadata__.spec);
const wanted = JSON.parse(header.__metadata__.wanted);
if (spec.scheme !== "rope" || spec.layout !== "half" || wanted[0].dtype !== "float32") process.exit(77); // not supported

const tensor = (name, Type) => new Type(Uint8Array.from(data.subarray(...header[name].data_offsets.map((at) => start + at))).buffer);
const positions = tensor("positions", BigInt64Array);
const input = "input" in header ? tensor("input", Float32Array) : undefined;
const pairs = spec.head_dim / 2;

const answers = wanted.map(({ role, shape }) => {
  const values = new Float32Array(shape.reduce((a, b) => a * b));
  for (let row = 0; row * shape.at(-1) < values.length; ++row) { // of all batches and heads
    const position = positions[row % positions.length];
    for (let pair = 0; pair < pairs; ++pair) {
      const phase = Number(position) * spec.rope_theta ** (-pair / pairs);
      const [c, s] = [Math.cos(phase), Math.sin(phase)];
      if (role !== "rotated") { values[row * pairs + pair] = role === "cos" ? c : s; continue; }
      const at = row * 2 * pairs + pair, [a, b] = [input[at], input[at + pairs]];
      values[at] = a * c - b * s;
      values[at + pairs] = b * c + a * s;
    }
  }
  return { role, shape, bytes: Buffer.from(values.buffer) };
});

const response = { __metadata__: { implementation: `Node ${process.version}` } };
let end = 0;
for (const { role, shape, bytes } of answers) response[role] = { dtype: "F32", shape, data_offsets: [end, (end += bytes.length)] };
const text = Buffer.from(JSON.stringify(response));
const length = Buffer.alloc(8);
length.writeBigUInt64LE(BigInt(text.length));
writeFileSync(process.argv[3], Buffer.concat([length, text, ...answers.map(({ bytes }) => bytes)]));
