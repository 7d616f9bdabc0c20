// ONNX models of a few nodes, written in the protocol buffers' wire format
// (field numbers of onnx.proto, https://github.com/onnx/onnx/blob/main/onnx/onnx.proto).

const varint = 0;
const lengthDelimited = 2;

function varintBytes(number) {
  const bytes = [];
  let rest = number;
  for (; rest >= 128; rest = Math.floor(rest / 128)) {
    bytes.push(rest % 128 + 128);
  }
  return Buffer.from([...bytes, rest]);
}

const integer = (field, value) => Buffer.concat([varintBytes(field * 8 + varint), varintBytes(value)]);
const bytes = (field, value) =>
  Buffer.concat([varintBytes(field * 8 + lengthDelimited), varintBytes(value.length), value]);
const text = (field, value) => bytes(field, Buffer.from(value));
const message = (field, ...parts) => bytes(field, Buffer.concat(parts));

/** TensorProto.DataType */
export const elementTypes = {float32: 1, int64: 7};

/** An integer attribute of a node. */
const attribute = (name, value) => message(5, text(1, name), integer(3, value), integer(20, 2));

/** A node: {op, domain, inputs, outputs, attributes}, attributes integers by name. */
const node = ({op, domain = '', inputs, outputs, attributes = {}}) => message(
  1, ...inputs.map((name) => text(1, name)), ...outputs.map((name) => text(2, name)), text(4, op),
  ...Object.entries(attributes).map(([name, value]) => attribute(name, value)), text(7, domain));

/** An input or output of a type and a number of dimensions of any size. */
const value = (field, {name, type, rank}) => message(
  field, text(1, name),
  message(2, message(1, integer(1, elementTypes[type]),
                     message(2, ...Array.from({length: rank}, (_, i) => message(1, text(2, `${name}_${i}`)))))));

/** The bytes of a model. */
export function onnxModel({nodes, inputs, outputs}) {
  const irVersion = 8;
  const opsets = [['', 17], ['com.microsoft', 1]];
  return Buffer.concat([
    integer(1, irVersion),
    ...opsets.map(([domain, version]) => message(8, text(1, domain), integer(2, version))),
    message(7, ...nodes.map(node), text(2, 'graph'), ...inputs.map((one) => value(11, one)),
            ...outputs.map((one) => value(12, one)))
  ]);
}
