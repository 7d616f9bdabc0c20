// Numbers as the pages' tables write them: "131 072" with narrow spaces, "−3", "1.5e-9", and "–" where there is none.

const plain = text => text.replace(/[\u202f\u00a0\s]/g, '').replace('\u2212', '-');

export function numberIn(text) {
  const digits = plain(text);
  return digits === '' ? NaN : Number(digits);
}

// One cell of a CSV file: numbers without spaces, texts in quotes where they need them.
function field(text) {
  if (text.trim() === '\u2013') return '';
  if (!Number.isNaN(numberIn(text))) return plain(text);
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function csvOf(table) {
  return [...table.rows].map(row => [...row.cells].map(cell => field(cell.textContent)).join(',')).join('\n') + '\n';
}
