// The page on which a reader tries a point: its fields, what they may hold, and what it says of the point.
import {bitsText, shortestText} from './exact.mjs';
import {element} from './element.mjs';
import {addressHere, placeHere} from './place.mjs';
import {greatestPosition, Points} from './points.mjs';

const usable = 2 ** -8;

// A whole number as people and programs write it: "4095", "-3", "2^20".
function wholeNumber(text) {
  const power = /^\s*(-?)2\^(\d{1,2})\s*$/.exec(text);
  if (power) return (power[1] ? -1 : 1) * 2 ** Number(power[2]);
  return /^\s*-?\d{1,15}\s*$/.test(text) ? Number(text) + 0 : undefined;  // -0 is 0
}

const quoted = text => (text.trim() ? `“${text.trim().slice(0, 40)}”` : 'nothing');

// One sentence on what a field holds that it should not; nothing where all is well.
function faultOf({name, position, pair, length, pairs}) {
  const at = wholeNumber(position);
  if (at === undefined || Math.abs(at) > greatestPosition) {
    return ['position', `Position: found ${quoted(position)}, expected a whole number from −2^31 to 2^31, such as 4095 or 2^20.`];
  }
  if (length !== null && at >= length) {
    return ['position', `Position: found ${at}, expected one below ${length}, the length of the sequence that the frequencies of ` +
      `${name} belong to.`];
  }
  const which = wholeNumber(pair);
  if (which === undefined || which < 0 || which >= pairs) {
    return ['pair', `Pair: found ${quoted(pair)}, expected a whole number from 0 to ${pairs - 1}, as ${name} has ${pairs} pairs.`];
  }
  return undefined;
}

// Three digits, for people.
function measure(x) {
  if (Number.isNaN(x)) return 'not a number';
  if (x === 0) return '0';
  const size = Math.abs(x);
  if (size >= 1e-4 && size < 1e6) return Number(x.toPrecision(3)).toLocaleString('en', {maximumSignificantDigits: 3}).replace(/,/g, '\u202f');
  const [digits, exponent] = x.toExponential(2).split('e');
  const raised = [...String(Number(exponent))].map(c => '⁻⁰¹²³⁴⁵⁶⁷⁸⁹'['-0123456789'.indexOf(c)]).join('');
  return `${digits} × 10${raised}`;
}

const signed = x => measure(x).replace(/^-/, '−');

function card({component, truth, nearest, got, error, ulps}, pair, stored) {
  const isKnown = got !== undefined;
  const rows = [
    ['Truth', truth ?? 'undecided at the digits that this page carries'],
    ['Recipe', isKnown ? shortestText(stored, got) : 'undecided'],
    ['Bits', isKnown ? bitsText(stored, got) : 'undecided'],
    ['Truth rounded', nearest === undefined ? 'undecided' : bitsText(stored, nearest)],
    ['Error', isKnown && Number.isFinite(got) ? `${signed(error)}, ${signed(ulps)} ulp of ${stored}` : 'not finite']
  ];
  const list = rows.flatMap(([name, text]) => [element('dt', {}, name), element('dd', {}, text)]);
  return element('section', {className: 'card'},
    element('h2', {}, `${component === 'sine' ? 'Sine' : 'Cosine'} of pair ${pair}`),
    element('dl', {className: 'point'}, ...list));
}

// The tag of what was found, and one sentence.
function summary(elements, amplitude) {
  const worst = elements.reduce((a, b) => (Math.abs(b.error) > Math.abs(a.error) ? b : a));
  const size = Math.abs(worst.error) / amplitude;
  if (elements.some(({error}) => Number.isNaN(error))) return ['bad', 'no number', 'What the recipe gives here is not a number.'];
  if (size === 0) return ['good', 'exact', 'The recipe gives the truth itself.'];
  const told = `The ${worst.component} is off by ${measure(Math.abs(worst.error))}`;
  return size > usable
    ? ['bad', 'does not serve', `${told}: more than a step of bfloat16 below 1, 2⁻⁸ of the amplitude.`]
    : ['good', 'serves', `${told}: less than a step of bfloat16 below 1, 2⁻⁸ of the amplitude.`];
}

export function makePoint(fields) {
  const points = new Points(JSON.parse(document.getElementById('point-seeds').textContent));
  const {data, models} = points;
  const [model, recipe, stored, position, pair] =
    ['model', 'recipe', 'stored', 'position', 'pair'].map(name => fields.querySelector(`[name=${name}]`));
  const [fault, told, cards, command] =
    ['fault', 'told', 'cards', 'command'].map(name => document.getElementById(`point-${name}`));
  const anchors = [...model.options].map(option => option.id);

  const chosenRecipe = () => data.recipes.find(({id}) => id === recipe.value);

  const offerFormats = wanted => {
    const {stored: formats, compute} = chosenRecipe();
    stored.replaceChildren(...formats.map(name => element('option', {value: name}, name)));
    stored.value = formats.includes(wanted) ? wanted : compute;
  };

  const complain = found => {
    const [where, sentence] = found ?? [];
    fault.hidden = !found;
    fault.textContent = sentence ?? '';
    for (const field of [position, pair]) {
      if (field.name === where) field.setAttribute('aria-invalid', 'true');
      else field.removeAttribute('aria-invalid');
    }
  };

  const tell = () => {
    const chosen = models[model.value];
    const {rotation} = chosen;
    const found = faultOf({name: chosen.name, position: position.value, pair: pair.value, length: rotation.length, pairs: points.pairsOf(rotation)});
    complain(found);
    if (found) {
      told.replaceChildren();
      cards.replaceChildren();
      return;
    }
    const [at, which] = [wholeNumber(position.value), wholeNumber(pair.value)];
    const elements = points.point(chosen, chosenRecipe(), stored.value, at, which);
    const [tone, tag, sentence] = summary(elements, rotation.amplitude.rounded);
    told.replaceChildren(element('span', {className: `tag ${tone}`}, tag), ' ', sentence);
    cards.replaceChildren(...elements.map(one => card(one, which, stored.value)));
    command.textContent =
      `vernier value ${chosen.choice} --position ${at} --pair ${which} --recipe ${recipe.value} --dtype ${stored.value}`;
    const place = [anchors[model.value], recipe.value, stored.value, at, which].join('/');
    history.replaceState(null, '', addressHere(`try.html#${place}`));
  };

  // What the address asks for, as far as it does.
  const read = () => {
    const [anchor, wantedRecipe, wantedFormat, at, which] = placeHere().split('/');
    const {start} = data;
    const found = anchors.indexOf(anchor);
    model.value = found < 0 ? start.model : found;
    recipe.value = data.recipes.some(({id}) => id === wantedRecipe) ? wantedRecipe : start.recipe;
    offerFormats(wantedFormat);
    const {worst} = models[model.value];
    position.value = at ?? worst.position;
    pair.value = which ?? worst.pair;
    tell();
  };

  recipe.addEventListener('input', () => offerFormats(stored.value));
  for (const field of [model, recipe, stored, position, pair]) field.addEventListener('input', tell);
  addEventListener('hashchange', () => { if (fields.isConnected) read(); });
  fields.hidden = false;
  read();
}
