// A closer look at a part of a drawing of lines. Marks are moved, not drawn again, and the axes get labels for what
// is in sight; svg.dataset tells all others which values that are.
import {axis, middle} from './chart_marks.mjs';

const least = 1 / 32;  // of an axis: places are drawn to a tenth of a unit
const superscripts = '\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079';
const axes = ['x', 'y'];

function svgElement(svg, name, attributes, text = '') {
  const made = document.createElementNS(svg.namespaceURI, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.textContent = text;
  return made;
}

function numberText(value, decimals) {
  if (value !== 0 && Math.abs(value) < 1e-3) return String(Number(value.toPrecision(3)).toExponential());
  const text = value.toFixed(decimals);
  return (Math.abs(value) < 10_000 ? text : text.replace(/\B(?=(\d{3})+(?!\d))/g, '\u202f')).replace('-', '\u2212');
}

function powerText(base, exponent) {
  if (base === 10) return `10${[...String(exponent)].map(c => (c === '-' ? '\u207b' : superscripts[c])).join('')}`;
  return exponent >= 0 && exponent < 40 ? `${2 ** (exponent % 10)}${['', '\u00a0K', '\u00a0M', '\u00a0G'][Math.floor(exponent / 10)]}`
    : numberText(2 ** exponent, 0);
}

// Round values of an axis and their labels, `most` at most: powers, within some decades 1, 2 and 5 times them, or even steps.
function ticksOf({kind, low, high}, most) {
  if (kind !== 'linear') {
    const base = kind === 'log2' ? 2 : 10;
    const power = value => Math.log2(value) / Math.log2(base);
    const [first, last] = [Math.ceil(power(low) - 1e-9), Math.floor(power(high) + 1e-9)];
    const step = Math.max(1, Math.ceil((last - first + 1) / most));
    const found = [];
    for (let e = Math.ceil(first / step) * step; e <= last; e += step) found.push([base ** e, powerText(base, e)]);
    if (found.length > 2) return found;
    const between = [];
    for (let e = first - 1; base === 10 && e <= last; ++e) {
      for (const value of [1, 2, 5].map(digit => digit * 10 ** e)) {
        if (value >= low && value <= high) between.push([value, numberText(value, Math.max(0, -e))]);
      }
    }
    if (between.length > 2) return between.filter((tick, i) => i % Math.ceil(between.length / most) === 0);
    if (found.length > 1) return found;
  }
  const rough = (high - low) / most;
  const unit = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].find(digit => digit * unit >= rough * (1 - 1e-9)) * unit;
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const found = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; ++i) found.push([i * step, numberText(i * step, decimals)]);
  return found;
}

export class Zoom {
  #svg;
  #whole;  // the axes as drawn
  #view = {x: [0, 1], y: [0, 1]};  // the shares of them in sight
  #marks;
  #fresh;

  constructor(svg) {
    this.#svg = svg;
    this.#whole = {x: svg.dataset.x, y: svg.dataset.y};
  }

  get isWhole() {
    return axes.every(name => this.#view[name][0] === 0 && this.#view[name][1] === 1);
  }

  reset() {
    this.#show({x: [0, 1], y: [0, 1]});
  }

  // To a part of what is in sight, in the drawing's units; a narrow one is of one axis.
  to({x, y}) {
    const narrow = 12;
    const wanted = {};
    for (const [name, ends] of [['x', x], ['y', y]]) {
      const {from, to} = axis(this.#whole[name]);
      const [low, high] = this.#view[name];
      const shares = ends.map(end => low + (end - from) / (to - from) * (high - low)).sort((a, b) => a - b);
      wanted[name] = Math.abs(ends[1] - ends[0]) < narrow ? this.#view[name] : shares;
    }
    this.#show(wanted);
  }

  // \param factor below 1 to come closer \param at a place of the drawing that stays where it is
  by(factor, at) {
    const wanted = {};
    for (const name of axes) {
      const {from, to} = axis(this.#whole[name]);
      const [low, high] = this.#view[name];
      const share = at ? (at[name] - from) / (to - from) : 0.5;
      const fixed = low + share * (high - low);
      const size = Math.min(1, (high - low) * factor);
      wanted[name] = [fixed - share * size, fixed + (1 - share) * size];
    }
    this.#show(wanted);
  }

  pan(dx, dy) {
    const moved = ([low, high], step) => [low + step * (high - low) / 4, high + step * (high - low) / 4];
    this.#show({x: moved(this.#view.x, dx), y: moved(this.#view.y, -dy)});
  }

  #show(wanted) {
    for (const name of axes) {
      const size = Math.min(1, Math.max(least, wanted[name][1] - wanted[name][0]));
      const middleOf = (wanted[name][0] + wanted[name][1]) / 2;
      const low = Math.min(Math.max(0, middleOf - size / 2), 1 - size);
      this.#view[name] = [low, low + size];
    }
    const svg = this.#svg;
    svg.classList.toggle('zoomed', !this.isWhole);
    this.#fresh?.remove();
    this.#marks ??= this.#clipped();
    const [x, y] = axes.map(name => this.#move(name));
    for (const {element, wrapper, centre} of this.#marks) {
      if (this.isWhole) {
        wrapper.removeAttribute('clip-path');
        element.removeAttribute('transform');
      } else {
        wrapper.setAttribute('clip-path', `url(#${this.#clipId})`);
        element.setAttribute('transform', centre
          ? `translate(${x.scale * centre.x + x.shift - centre.x} ${y.scale * centre.y + y.shift - centre.y})`
          : `matrix(${x.scale} 0 0 ${y.scale} ${x.shift} ${y.shift})`);
      }
    }
    for (const name of axes) svg.dataset[name] = this.#words(name);
    if (!this.isWhole) this.#label();
  }

  get #clipId() {
    return `${this.#svg.closest('figure').id}-clip`;
  }

  // From where a mark is drawn to where it is seen.
  #move(name) {
    const {from, to} = axis(this.#whole[name]);
    const [low, high] = this.#view[name];
    const scale = 1 / (high - low);
    return {scale, shift: from * (1 - scale) - low * scale * (to - from)};
  }

  #words(name) {
    if (this.isWhole) return this.#whole[name];
    const whole = axis(this.#whole[name]);
    const [low, high] = this.#view[name].map(whole.valueAt);
    return `${whole.kind} ${low} ${high} ${whole.from} ${whole.to}`;
  }

  // What moves, each in a group that cuts it at the frame.
  #clipped() {
    const svg = this.#svg;
    const {x, y, width, height} = svg.querySelector('.frame').getBBox();
    const clip = svgElement(svg, 'clipPath', {id: this.#clipId});
    clip.append(svgElement(svg, 'rect', {x, y, width, height}));
    svg.append(clip);
    return [...svg.querySelectorAll('.mark, .zero')].map(element => {
      const wrapper = svgElement(svg, 'g', {});
      element.replaceWith(wrapper);
      wrapper.append(element);
      return {element, wrapper, centre: element.matches('.zero') ? middle(element.getBBox()) : undefined};
    });
  }

  #label() {
    const svg = this.#svg;
    const {x, y, width, height} = svg.querySelector('.frame').getBBox();
    const [across, down] = axes.map(name => axis(svg.dataset[name]));
    this.#fresh = svgElement(svg, 'g', {class: 'axes fresh'});
    for (const [value, label] of ticksOf(down, Math.max(2, Math.floor(height / 40)))) {
      const at = down.place(value);
      this.#fresh.append(svgElement(svg, 'path', {class: 'grid', d: `M${x} ${at}h${width}`}),
        svgElement(svg, 'text', {x: x - 8, y: at, 'text-anchor': 'end'}, label));
    }
    for (const [value, label] of ticksOf(across, Math.max(2, Math.floor(width / 90)))) {
      const at = across.place(value);
      this.#fresh.append(svgElement(svg, 'path', {class: 'grid', d: `M${at} ${y}v${height + 4}`}),
        svgElement(svg, 'text', {x: at, y: y + height + 16, 'text-anchor': 'middle'}, label));
    }
    svg.querySelector('.axes').after(this.#fresh);
  }
}
