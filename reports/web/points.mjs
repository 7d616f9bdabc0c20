// What the points of a report are computed from, and how: the truth from frequencies that are certified to so many places, and what a
// recipe makes, every operation rounded as the recipe rounds it. Sines and cosines of a recipe are rounded correctly, which the ones
// of a C library nearly are.
import {
  approximately, decimalOf, decode, encode, fromDecimal, fromDouble, gapAt, minus, nearest, roundTo, sineCosine, times, timesInteger
} from './exact.mjs';

export const greatestPosition = 2 ** 31;
const truthPlaces = 20;
const components = ['cosine', 'sine'];

export class Points {
  // data: what the page carries (reports/report/pages/try_point.cpp)
  constructor(data) {
    this.data = data;
    this.models = data.models.map(model => ({...model, rotation: data.rotations[model.rotation]}));
    this.steps = new Map();  // by the text that holds them
  }

  pairsOf({frequencies}) {
    return frequencies.length / (this.data.places + 1);
  }

  frequencyOf(rotation, pair) {
    const width = this.data.places + 1;
    return fromDecimal(rotation.frequencies.slice(pair * width, (pair + 1) * width), this.data.places);
  }

  // Carried as how many numbers of a format they lie beyond the one that is nearest to the true frequency.
  factorOf(rotation, recipe, pair) {
    const [format, steps] = rotation.factors[recipe.id];
    if (!this.steps.has(steps)) this.steps.set(steps, steps.split(' ').map(BigInt));
    const exact = nearest(format, this.frequencyOf(rotation, pair));
    return decode(format, encode(format, exact) + this.steps.get(steps)[pair]);
  }

  // The phase as the recipe uses it.
  phaseOf(rotation, recipe, position, pair) {
    const round = x => roundTo(recipe.compute, x);
    const start = round(roundTo(recipe.positions, position));
    if (!rotation.ratios[recipe.id]) return round(start * this.factorOf(rotation, recipe, pair));
    const {ratio, divisors} = rotation.ratios[recipe.id];
    let phase = start;
    for (let at = 0; at < pair; ++at) phase = round(phase * ratio);
    return divisors.length === 0 ? phase : round(phase / (divisors[pair] ?? Infinity));
  }

  // A cosine or sine as the recipe computes and stores it; undefined where its rounding is undecided.
  computed(rotation, recipe, stored, position, pair, component) {
    const phase = this.phaseOf(rotation, recipe, position, pair);
    if (!Number.isFinite(phase)) return NaN;
    const functions = recipe.compute === 'float64' ? 'float64' : 'float32';
    const value = phase === 0
      ? {sine: phase, cosine: 1}[component]
      : nearest(functions, sineCosine(fromDouble(phase))[component]);
    if (value === undefined) return undefined;
    const amplitude = roundTo(recipe.compute, rotation.amplitude.rounded);
    const narrow = roundTo(recipe.compute, value);
    return roundTo(stored, amplitude === 1 ? narrow : roundTo(recipe.compute, amplitude * narrow));
  }

  // Both elements of a pair: known numbers.
  truth(rotation, position, pair) {
    const turned = sineCosine(timesInteger(this.frequencyOf(rotation, pair), position));
    const {exact} = rotation.amplitude;
    if (exact === '') return turned;
    const amplitude = fromDecimal(exact, this.data.places);
    return Object.fromEntries(components.map(component => [component, times(turned[component], amplitude)]));
  }

  // What there is to tell of a point, the cosine and then the sine.
  point({rotation}, recipe, stored, position, pair, truths = this.truth(rotation, position, pair)) {
    return components.map(component => {
      const truth = truths[component];
      const got = this.computed(rotation, recipe, stored, position, pair, component);
      const isNumber = got !== undefined && Number.isFinite(got);
      const error = isNumber ? approximately(minus(fromDouble(got), truth)) : NaN;
      const isTowardZero = error < 0 === truth.value > 0n;
      return {
        component,
        truth: decimalOf(truth, truthPlaces),
        nearest: nearest(stored, truth),
        got,
        error,
        ulps: error / gapAt(stored, truth, isTowardZero)
      };
    });
  }
}
