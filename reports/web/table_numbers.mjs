// Numbers as the pages' tables write them: "131 072" with narrow spaces, "−3", "1.5e-9", and "–" where there is none.

const plain = text => text.replace(/[\u202f\u00a0\s]/g, '').replace('\u2212', '-');

export function numberIn(text) {
  const digits = plain(text);
  return digits === '' ? NaN : Number(digits);
}

// One cell of a CSV file: numbers without spaces, in texts too, which are in quotes where they need them.
function field(text) {
  if (text.trim() === '\u2013') return '';
  if (!Number.isNaN(numberIn(text))) return plain(text);
  const words = text.replaceAll('\u202f', '');  // "16 384 to 32 767"
  return /[",\n]/.test(words) ? `"${words.replaceAll('"', '""')}"` : words;
}

export function csvOf(table) {
  return [...table.rows].map(row => [...row.cells].map(cell => field(cell.textContent)).join(',')).join('\n') + '\n';
}
