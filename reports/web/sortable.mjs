// Lets the reader sort a table (table.sortable) by a column: its heading becomes a button. Without JavaScript the table stands as it
// was written.

// A number where the text starts with one, perhaps after a word; words sort after numbers.
function key(cell) {
  const found = /-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/i.exec(cell.textContent);
  return found ? Number(found[0]) : Infinity;
}

function compare(a, b, isNumber) {
  const byNumber = isNumber ? key(a) - key(b) : 0;
  return byNumber || a.textContent.localeCompare(b.textContent, 'en', {numeric: true});
}

function sort(table, index, heading) {
  const ascending = heading.getAttribute('aria-sort') !== 'ascending';
  const isNumber = heading.classList.contains('number');
  const body = table.tBodies[0];
  const rows = [...body.rows].sort((a, b) => compare(a.cells[index], b.cells[index], isNumber) * (ascending ? 1 : -1));
  body.replaceChildren(...rows);
  for (const other of table.tHead.rows[0].cells) other.removeAttribute('aria-sort');
  heading.setAttribute('aria-sort', ascending ? 'ascending' : 'descending');
}

export function makeSortable(table) {
  [...table.tHead.rows[0].cells].forEach((heading, index) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = heading.textContent;
    button.addEventListener('click', () => sort(table, index, heading));
    heading.replaceChildren(button);
  });
}
