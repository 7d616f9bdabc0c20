// Lets a chart answer its reader. The drawing stands in the page; here pointer and arrow keys find the nearest mark and its
// numbers, a line can be seen alone, and the numbers be saved.
import {marksOf} from './chart_marks.mjs';
import {element} from './element.mjs';
import {addressHere} from './place.mjs';
import {csvOf} from './table_numbers.mjs';

const steps = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]};

function saveAsFile(name, text) {
  const link = element('a', {href: URL.createObjectURL(new Blob([text], {type: 'text/csv'})), download: name});
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);  // the browser reads it in its own time
}

// The numbers of a mark, beside it.
class Tooltip {
  #box = element('div', {className: 'chart-tooltip', hidden: true});
  pinned = false;

  constructor(figure) {
    figure.append(this.#box);
  }

  show(mark, place, aloud) {
    this.#box.setAttribute('aria-live', aloud ? 'polite' : 'off');
    this.#box.replaceChildren(element('dl', {}, ...mark.lines.flatMap(
      ([name, value]) => [element('dt', {}, name), element('dd', {}, value)])));
    this.#box.hidden = false;
    this.#stand(place);
  }

  // Several marks in one place lead to several pages: the reader chooses.
  offer(links, place) {
    this.pinned = true;
    const list = links.map(([name, href]) => element('li', {}, element('a', {href: addressHere(href)}, name)));
    this.#box.replaceChildren(element('ul', {}, ...list));
    this.#box.hidden = false;
    this.#stand(place);
    this.#box.querySelector('a').focus();
  }

  hide() {
    this.pinned = false;
    this.#box.hidden = true;
  }

  holds(target) {
    return this.#box.contains(target);
  }

  #stand({x, y}) {
    const gap = 14;
    const {width, height} = this.#box.getBoundingClientRect();
    const right = document.documentElement.clientWidth - 4;
    const left = x + gap + width <= right ? x + gap : Math.max(4, x - gap - width);
    const top = y + gap + height <= innerHeight ? y + gap : Math.max(4, y - gap - height);
    Object.assign(this.#box.style, {left: `${Math.min(left, Math.max(4, right - width))}px`, top: `${top}px`});
  }
}

function isolate(svg, group) {
  const chosen = group && !group.classList.contains('chosen');
  svg.querySelectorAll('.chosen').forEach(other => other.classList.remove('chosen'));
  svg.classList.toggle('isolated', Boolean(chosen));
  if (chosen) group.classList.add('chosen');
}

export function answerReaders(figure) {
  const plot = figure.querySelector('.plot');
  const svg = plot.querySelector('svg');
  const details = figure.querySelector('details');
  const links = JSON.parse(figure.querySelector('.chart-links')?.textContent ?? '[]');
  const tooltip = new Tooltip(figure);
  const cursor = document.createElementNS(svg.namespaceURI, 'circle');
  cursor.setAttribute('class', 'cursor');
  cursor.setAttribute('r', '6');
  const read = () => marksOf(svg, details.querySelector('table'), links);
  // Read once they are wanted; the cells of a picture are there only some time after.
  let marks = svg.classList.contains('cells') ? read() : undefined;
  let current;

  const onScreen = ({x, y}) => new DOMPoint(x, y).matrixTransform(svg.getScreenCTM());
  const inDrawing = event => new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());

  function leave() {
    current = undefined;
    cursor.remove();
    tooltip.hide();
  }

  function go(mark, aloud) {
    if (!mark) return;
    current = mark;
    cursor.setAttribute('cx', mark.x);
    cursor.setAttribute('cy', mark.y);
    svg.append(cursor);
    if (aloud) cursor.scrollIntoView({block: 'nearest', inline: 'nearest'});
    tooltip.show(mark, onScreen(mark), aloud);
  }

  function choose() {
    if (current?.of) isolate(svg, current.of);
    if (current?.links?.length === 1) location.assign(addressHere(current.links[0][1]));
    if (current?.links?.length > 1) tooltip.offer(current.links, onScreen(current));
  }

  plot.addEventListener('pointermove', event => {
    if (tooltip.pinned) return;
    if (event.target.closest('.series text')) return leave();  // a name to click
    marks ??= read();
    const {x, y} = inDrawing(event);
    go(marks.nearest(x, y), false);
  });
  plot.addEventListener('pointerleave', () => tooltip.pinned || leave());
  plot.addEventListener('click', event => {
    const group = event.target.closest('.series');
    if (group && event.target.closest('text')) isolate(svg, group);
    else choose();
  });
  plot.addEventListener('keydown', event => {
    const step = steps[event.key];
    if (event.key === 'Escape') {
      isolate(svg);
      leave();
    } else if (event.key === 'Enter') {
      choose();
    } else if (step) {
      marks ??= read();
      go(current ? marks.step(current, ...step) : marks.nearest(0, 0), true);
      event.preventDefault();
    }
  });
  plot.addEventListener('blur', () => tooltip.pinned || leave());
  figure.addEventListener('keydown', event => {
    if (event.key !== 'Escape' || !tooltip.holds(event.target)) return;
    leave();
    plot.focus();
  });

  const enter = svg.classList.contains('lines') ? ', Enter shows one line alone' : links.length > 0 ? ', Enter follows a mark' : '';
  const hint = element('p', {className: 'chart-hint', id: `${figure.id}-hint`},
    `Arrow keys lead from value to value${enter}, Escape leaves.`);
  plot.after(hint);
  plot.setAttribute('aria-describedby', hint.id);
  const save = element('button', {type: 'button', className: 'download'}, 'Save these numbers (CSV)');
  save.addEventListener('click', () => saveAsFile(`${figure.id}.csv`, csvOf(details.querySelector('table'))));
  details.querySelector('summary').after(save);
}
