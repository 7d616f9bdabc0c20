// Lets a chart answer its reader. The drawing stands in the page; here pointer and arrow keys find the nearest mark and its
// numbers, a line can be seen alone, and the numbers be saved.
import {marksOf} from './chart_marks.mjs';
import {element} from './element.mjs';
import {csvOf} from './table_numbers.mjs';
import {Zoom} from './zoom.mjs';

const steps = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]};

function saveAsFile(name, text) {
  const link = element('a', {href: URL.createObjectURL(new Blob([text], {type: 'text/csv'})), download: name});
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);  // the browser reads it in its own time
}

// The numbers of a mark, beside it.
class Tooltip {
  #box = element('div', {className: 'chart-tooltip', hidden: true});

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

  hide() {
    this.#box.hidden = true;
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

// Calls `done` with the box that the pointer is dragged over, in the drawing's units. A finger scrolls the page instead.
function onDrag(plot, svg, inDrawing, done) {
  const slight = 6;
  let start;
  let box;
  const end = () => {
    box?.remove();
    [start, box] = [undefined, undefined];
  };
  const ends = event => {
    const here = inDrawing(event);
    return {x: [Math.min(start.x, here.x), Math.max(start.x, here.x)], y: [Math.min(start.y, here.y), Math.max(start.y, here.y)]};
  };
  plot.addEventListener('pointerdown', event => {
    const {x, y, width, height} = svg.querySelector('.frame').getBBox();
    const here = inDrawing(event);
    const isInside = here.x >= x && here.x <= x + width && here.y >= y && here.y <= y + height;
    if (event.button === 0 && event.pointerType !== 'touch' && isInside) start = here;
  });
  plot.addEventListener('pointermove', event => {
    if (!start) return;
    const {x, y} = ends(event);
    if (!box && Math.max(x[1] - x[0], y[1] - y[0]) < slight) return;
    if (!box) {
      box = document.createElementNS(svg.namespaceURI, 'rect');
      box.setAttribute('class', 'selection');
      svg.append(box);
      plot.setPointerCapture(event.pointerId);
    }
    for (const [name, value] of Object.entries({x: x[0], y: y[0], width: x[1] - x[0], height: y[1] - y[0]})) box.setAttribute(name, value);
  });
  plot.addEventListener('pointerup', event => {
    const dragged = box && ends(event);
    end();
    if (dragged) done(dragged);
  });
  plot.addEventListener('pointercancel', end);
  return () => Boolean(box);
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
  const tooltip = new Tooltip(figure);
  const cursor = document.createElementNS(svg.namespaceURI, 'circle');
  cursor.setAttribute('class', 'cursor');
  cursor.setAttribute('r', '6');
  const read = () => marksOf(svg, details.querySelector('table'));
  let marks;  // read once they are wanted
  let current;

  const zoom = svg.classList.contains('lines') ? new Zoom(svg) : undefined;
  let justDragged = false;

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
  }

  function look(change) {
    change();
    marks = undefined;
    leave();
    whole.hidden = zoom.isWhole;
  }

  const isDragging = zoom ? onDrag(plot, svg, inDrawing, box => {
    justDragged = true;
    look(() => zoom.to(box));
  }) : () => false;

  // Whether a key looks closer, further or aside.
  function zooms({key, shiftKey}) {
    const changes = {
      '+': () => zoom.by(0.5, current),
      '=': () => zoom.by(0.5, current),
      '-': () => zoom.by(2, current),
      0: () => zoom.reset()
    };
    const aside = shiftKey && steps[key];
    const change = aside ? () => zoom.pan(...aside) : changes[key];
    if (!zoom || !change) return false;
    look(change);
    return true;
  }

  plot.addEventListener('pointerdown', () => { justDragged = false; });
  plot.addEventListener('pointermove', event => {
    if (isDragging()) return leave();
    if (event.target.closest('.series text')) return leave();  // a name to click
    marks ??= read();
    const {x, y} = inDrawing(event);
    go(marks.nearest(x, y), false);
  });
  plot.addEventListener('pointerleave', leave);
  plot.addEventListener('click', event => {
    if (justDragged) return;
    const group = event.target.closest('.series');
    if (group && event.target.closest('text')) isolate(svg, group);
    else choose();
  });
  plot.addEventListener('keydown', event => {
    const step = steps[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Escape') {
      isolate(svg);
      leave();
    } else if (zooms(event)) {
      event.preventDefault();
    } else if (event.key === 'Enter') {
      choose();
    } else if (step) {
      marks ??= read();
      go(current ? marks.step(current, ...step) : marks.nearest(0, 0), true);
      event.preventDefault();
    }
  });
  // A drawing as wide as its box has other places in another window.
  addEventListener('resize', () => {
    if (svg.classList.contains('bars')) marks = undefined;
  });
  plot.addEventListener('blur', leave);

  const whole = element('button', {type: 'button', className: 'whole', hidden: true}, 'Show all');
  whole.addEventListener('click', () => look(() => zoom.reset()));
  plot.after(whole);
  plot.setAttribute('aria-describedby', `${figure.id}-hint`);
  const enter = svg.classList.contains('lines') ? ', Enter shows one line alone' : '';
  const hint = element('p', {className: 'chart-hint', id: `${figure.id}-hint`},
    `Arrow keys lead from value to value${enter}, Escape leaves.${zoom ? ' + and −, or a drag, zoom; Shift with arrow keys moves, 0 shows all.' : ''}`);
  whole.after(hint);
  const save = element('button', {type: 'button', className: 'download'}, 'Save these numbers (CSV)');
  save.addEventListener('click', () => saveAsFile(`${figure.id}.csv`, csvOf(details.querySelector('table'))));
  details.querySelector('summary').after(save);
}
