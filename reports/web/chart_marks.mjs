// The marks of a drawing and what they stand for. A drawing knows its places, the figure's table knows the numbers: a mark is
// {x, y, lines: [[name, value], ...]}, in the drawing's units, with the group it belongs to (`of`).
// Every kind of chart gives two ways to a mark: nearest(x, y), and step(mark, dx, dy) for the arrow keys.
import {numberIn} from './table_numbers.mjs';

const least = (items, measure) => items.reduce((best, item) => (best && measure(best) <= measure(item) ? best : item), undefined);
const distance = (mark, x, y) => Math.hypot(mark.x - x, mark.y - y);
export const middle = ({x, y, width, height}) => ({x: x + width / 2, y: y + height / 2});

// "log 1 1000 40 690": an axis from 1 to 1000, drawn from 40 to 690; "log2" is one that is labelled by powers of two.
export function axis(words) {
  const [kind, ...ends] = words.split(' ');
  const [low, high, from, to] = ends.map(Number);
  const isLog = kind !== 'linear';
  const measure = isLog ? Math.log : value => value;
  const back = isLog ? Math.exp : value => value;
  return {
    kind,
    low,
    high,
    from,
    to,
    place: value => from + (measure(value) - measure(low)) / (measure(high) - measure(low)) * (to - from),
    valueAt: share => back(measure(low) + share * (measure(high) - measure(low))),
    isLog
  };
}

function linesOf(svg, table) {
  const [x, y] = [axis(svg.dataset.x), axis(svg.dataset.y)];
  const headings = [...table.tHead.rows[0].cells].map(cell => cell.textContent);
  const rows = [...table.tBodies[0].rows].map(row => [...row.cells].map(cell => cell.textContent));
  const heightOf = value => (y.isLog && value === 0 ? y.from : y.place(value));
  const series = [...svg.querySelectorAll('.series')].map(group => {
    const columns = group.dataset.columns.split(' ').map(Number);
    return rows.map((cells, row) => ({
      row,
      of: group,
      x: x.place(numberIn(cells[0])),
      y: heightOf(numberIn(cells[columns[0]])),
      lines: [[headings[0], cells[0]], ...columns.map(column => [headings[column], cells[column]])]
    })).filter(mark => mark.x >= x.from - 1 && mark.x <= x.to + 1 && mark.y >= y.to - 1 && mark.y <= y.from + 1);
  }).filter(marks => marks.length > 0);
  // Of each line that is in sight the mark at this place.
  const across = at => series.filter(([{of}]) => !svg.classList.contains('isolated') || of.classList.contains('chosen'))
    .map(marks => least(marks, mark => Math.abs(mark.x - at)));
  return {
    nearest: (px, py) => least(across(px), mark => distance(mark, px, py)),
    step(mark, dx, dy) {
      if (dx) {
        const own = series.find(([{of}]) => of === mark.of);
        return own[Math.min(Math.max(own.indexOf(mark) + dx, 0), own.length - 1)];
      }
      const order = across(mark.x).sort((a, b) => a.y - b.y);
      return order[(order.findIndex(({of}) => of === mark.of) + dy + order.length) % order.length];
    }
  };
}

// Marks that stand by themselves: the arrow keys go through them by x and by y.
function separate(marks, measure) {
  const order = {x: [...marks].sort((a, b) => a.x - b.x || a.y - b.y), y: [...marks].sort((a, b) => a.y - b.y || a.x - b.x)};
  return {
    nearest: (x, y) => least(marks, mark => measure(mark, x, y)),
    step(mark, dx, dy) {
      const list = dx ? order.x : order.y;
      if (!list.includes(mark)) return list[0];
      return list[Math.min(Math.max(list.indexOf(mark) + dx + dy, 0), list.length - 1)];
    }
  };
}

function barsOf(svg, table) {
  const headings = [...table.tHead.rows[0].cells].map(cell => cell.textContent);
  const marks = [...svg.querySelectorAll('.bar')].map(element => {
    const box = element.querySelector('.mark').getBBox();
    const cells = [...table.tBodies[0].rows[element.dataset.row].cells].map(cell => cell.textContent);
    return {x: box.x + box.width, y: middle(box).y, lines: headings.map((heading, column) => [heading, cells[column]])};
  });
  return separate(marks, (mark, x, y) => Math.abs(mark.y - y));
}

// The cells of a heat map. Its table has a row for each row of cells, the lowest first, and a column for each column.
function cellsOf(svg, table) {
  const [x, y] = [axis(svg.dataset.x), axis(svg.dataset.y)];
  const titles = [svg.dataset.xTitle, svg.dataset.yTitle, svg.dataset.valueTitle];
  const headings = [...table.tHead.rows[0].cells].map(cell => cell.textContent);
  const rows = [...table.tBodies[0].rows].map(row => [...row.cells].map(cell => cell.textContent));
  const [width, height] = [headings.length - 1, rows.length];
  const cell = (column, row) => {
    const [i, j] = [Math.min(Math.max(column, 0), width - 1), Math.min(Math.max(row, 0), height - 1)];
    return {
      column: i,
      row: j,
      x: x.from + (i + 0.5) / width * (x.to - x.from),
      y: y.from + (j + 0.5) / height * (y.to - y.from),
      lines: [headings[i + 1], rows[j][0], rows[j][i + 1]].map((value, index) => [titles[index], value])
    };
  };
  const index = (scale, place, count) => Math.floor((place - scale.from) / (scale.to - scale.from) * count);
  return {
    nearest: (px, py) => cell(index(x, px, width), index(y, py, height)),
    step: (mark, dx, dy) => cell(mark.column + dx, mark.row - dy)
  };
}

export function marksOf(svg, table) {
  const kinds = {lines: linesOf, bars: barsOf, cells: cellsOf};
  const kind = Object.keys(kinds).find(name => svg.classList.contains(name));
  return kinds[kind](svg, table);
}
