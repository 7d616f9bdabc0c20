// Real numbers within a proved bound, and the number formats that they are rounded to. A `known` number {value, error} is an integer
// in units of 2^-scale, and how many units it may be off.

export const scale = 320;
const bits = BigInt(scale);
const unit = 1n << bits;

// As reference/numbers/format.hpp has them.
const formats = {
  float64: {precision: 53, least: -1022, greatest: 1023, width: 64},
  float32: {precision: 24, least: -126, greatest: 127, width: 32},
  float16: {precision: 11, least: -14, greatest: 15, width: 16},
  bfloat16: {precision: 8, least: -126, greatest: 127, width: 16}
};
export const formatNames = Object.keys(formats);

const magnitude = x => (x < 0n ? -x : x);
const view = new DataView(new ArrayBuffer(8));
const isNegative = x => x < 0 || Object.is(x, -0);

// Of a normal float64.
function powerOfTwo(exponent) {
  view.setBigUint64(0, BigInt(exponent + 1023) << 52n);
  return view.getFloat64(0);
}

// floor(log2 |x|); below the normal numbers -1023.
function exponentOf(x) {
  view.setFloat64(0, x);
  return (view.getUint16(0) >> 4 & 0x7ff) - 1023;
}

// The exponent of the last place of a format's numbers in the binade of 2^exponent.
const lastPlace = ({precision, least}, exponent) => Math.max(exponent, least) - precision + 1;

// Known numbers.

// Of a decimal with so many places, right to half a unit of the last; its digits without a point. Zero is exact.
export function fromDecimal(digits, places) {
  const power = 10n ** BigInt(places);
  const count = BigInt(digits);
  return {value: count * unit / power, error: count === 0n ? 0n : unit / (2n * power) + 2n};
}

// Of a finite float64.
export function fromDouble(x) {
  view.setFloat64(0, x);
  const exponent = Math.max(exponentOf(x), -1022);
  const fraction = view.getBigUint64(0) & 0xfffffffffffffn;
  const significand = exponentOf(x) > -1023 ? fraction | 1n << 52n : fraction;
  const shift = BigInt(exponent - 52 + scale);
  const lost = shift < 0n && (significand & (1n << -shift) - 1n) !== 0n;
  const value = shift < 0n ? significand >> -shift : significand << shift;
  return {value: x < 0 ? -value : value, error: lost ? 1n : 0n};
}

const isZero = ({value, error}) => value === 0n && error === 0n;

export const timesInteger = (x, factor) => ({value: x.value * BigInt(factor), error: x.error * magnitude(BigInt(factor))});

export const minus = (a, b) => ({value: a.value - b.value, error: a.error + b.error});

export function times(a, b) {
  if (isZero(a) || isZero(b)) return {value: 0n, error: 0n};
  const error = (magnitude(a.value) * b.error + magnitude(b.value) * a.error + a.error * b.error >> bits) + 2n;
  return {value: a.value * b.value >> bits, error};
}

// Half the circle's constant, by Machin's formula, in units of 2^-(scale + 64). Its 110 terms lose less than 20 of them each: 2^33
// times it is right to a unit of 2^-scale.
const guard = 64n;

function arctangentOfInverse(n) {
  let power = (1n << bits + guard) / n;
  let sum = 0n;
  for (let k = 1n; power > 0n; k += 2n) {
    sum += k % 4n === 1n ? power / k : -(power / k);
    power /= n * n;
  }
  return sum;
}

const halfPi = 8n * arctangentOfInverse(5n) - 2n * arctangentOfInverse(239n);

// The sum of the terms x^n / n!, n = first, first + 2, ..., with signs in turn. Each term is off by less than three units, as the one
// before is multiplied by 0.31 at most, and there are fewer than 80.
function series(x, first) {
  const square = x * x >> bits;
  let term = first === 0n ? unit : x;
  let sum = 0n;
  for (let n = first, sign = 1n; term > 0n; n += 2n, sign = -sign) {
    sum += sign * term;
    term = (term * square >> bits) / ((n + 1n) * (n + 2n));
  }
  return sum;
}
const seriesError = 256n;

// Sine and cosine. Moving the argument moves them by no more. |x| < 2^32.
export function sineCosine(x) {
  if (isZero(x)) return {sine: x, cosine: {value: unit, error: 0n}};
  const wide = magnitude(x.value) << guard;
  const quarters = (2n * wide + halfPi) / (2n * halfPi);
  const rest = wide - quarters * halfPi >> guard;
  const sign = rest < 0n ? -1n : 1n;
  const sine = sign * series(magnitude(rest), 1n);
  const cosine = series(magnitude(rest), 0n);
  const turned = [[sine, cosine], [cosine, -sine], [-sine, -cosine], [-cosine, sine]][Number(quarters % 4n)];
  const error = x.error + 2n + seriesError;
  return {sine: {value: x.value < 0n ? -turned[0] : turned[0], error}, cosine: {value: turned[1], error}};
}

// Rounding.

// An integer in units of 2^-scale, rounded to nearest, ties to even.
function roundInteger(format, value) {
  const size = magnitude(value);
  if (size === 0n) return 0;
  const last = lastPlace(formats[format], size.toString(2).length - 1 - scale);
  const shift = BigInt(last + scale);
  let count = shift > 0n ? size >> shift : size << -shift;
  if (shift > 0n) {
    const rest = size & (1n << shift) - 1n;
    const half = 1n << shift - 1n;
    if (rest > half || (rest === half && count % 2n === 1n)) count += 1n;
  }
  const result = Number(count) * powerOfTwo(last);
  return value < 0n ? -result : result;
}

const agreed = (a, b) => (Object.is(a, b) ? a : undefined);

// The number of a format nearest to a known one; undefined where the bound leaves two.
export const nearest = (format, {value, error}) => agreed(roundInteger(format, value - error), roundInteger(format, value + error));

// About which float64 it is, to look at.
export const approximately = ({value}) => roundInteger('float64', value);

// A known number with so many decimal places, rounded to nearest; undefined where the bound leaves two.
export function decimalOf({value, error}, places) {
  const power = 10n ** BigInt(places);
  const text = x => {
    const digits = ((2n * magnitude(x) * power + unit) / (2n * unit)).toString().padStart(places + 1, '0');
    return `${x < 0n ? '-' : ''}${digits.slice(0, -places)}.${digits.slice(-places)}`;
  };
  return agreed(text(value - error), text(value + error));
}

// A float64 rounded to nearest, ties to even, in a format.
export function roundTo(format, x) {
  if (format === 'float64') return x;
  if (format === 'float32') return Math.fround(x);
  if (!Number.isFinite(x) || x === 0) return x;
  const {precision, greatest} = formats[format];
  const place = powerOfTwo(lastPlace(formats[format], exponentOf(x)));
  const count = Math.abs(x) / place;
  const whole = Math.floor(count);
  const isUp = count - whole > 0.5 || (count - whole === 0.5 && whole % 2 === 1);
  const result = (whole + (isUp ? 1 : 0)) * place;
  const largest = (2 - powerOfTwo(1 - precision)) * powerOfTwo(greatest);
  const rounded = result > largest ? Infinity : result;
  return x < 0 ? -rounded : rounded;
}

// Bits.

// The bit pattern of a number of the format.
export function encode(format, x) {
  const {precision, least, greatest, width} = formats[format];
  if (format === 'float64') {
    view.setFloat64(0, x);
    return view.getBigUint64(0);
  }
  const sign = isNegative(x) ? 1n << BigInt(width - 1) : 0n;
  const top = BigInt(greatest - least + 2) << BigInt(precision - 1);
  if (Number.isNaN(x)) return top | 1n << BigInt(precision - 2);
  if (!Number.isFinite(x)) return sign | top;
  if (x === 0) return sign;
  const last = lastPlace(formats[format], exponentOf(x));
  const below = BigInt(last - (least - precision + 1)) << BigInt(precision - 1);
  return sign | below + BigInt(Math.abs(x) / powerOfTwo(last));
}

// The finite number >= 0 of a bit pattern.
export function decode(format, pattern) {
  const {precision, least} = formats[format];
  if (format === 'float64') {
    view.setBigUint64(0, pattern);
    return view.getFloat64(0);
  }
  const hidden = 1n << BigInt(precision - 1);
  const exponent = pattern / hidden;
  const significand = exponent === 0n ? pattern : pattern % hidden + hidden;
  return Number(significand) * powerOfTwo(least - precision + 1 + Math.max(Number(exponent) - 1, 0));
}

export const bitsText = (format, x) => `0x${encode(format, x).toString(16).padStart(formats[format].width / 4, '0')}`;

// The fewest digits that tell a number from its neighbours.
export function shortestText(format, x) {
  for (let digits = 1; Number.isFinite(x) && digits < 17; ++digits) {
    const text = x.toPrecision(digits);
    if (roundTo(format, Number(text)) === x) return String(Number(text));
  }
  return String(x);
}

// The gap between numbers of a format at a known number, against which an error is measured: the one below where the known number
// is a power of two and the error points to zero.
export function gapAt(format, {value, error}, isTowardZero) {
  const kind = formats[format];
  const size = magnitude(value);
  const exponent = size === 0n ? kind.least : size.toString(2).length - 1 - scale;
  const isPower = error === 0n && size !== 0n && (size & size - 1n) === 0n;
  return powerOfTwo(lastPlace(kind, isPower && isTowardZero ? exponent - 1 : exponent));
}
