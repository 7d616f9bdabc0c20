// The search box: what is typed is looked up in the index of the site ([kind, title, address, about]), which a script beside the page
// or a block in it holds.
import {addressHere} from './place.mjs';

const most = 12;
const index = () => window.vernierIndex ?? JSON.parse(document.getElementById('search-index')?.textContent ?? '[]');

// How well an entry fits: smaller is better, Infinity is not at all.
function rank([kind, title, , about], words) {
  const name = title.toLowerCase();
  const all = `${kind} ${name} ${about.toLowerCase()}`;
  if (!words.every(word => all.includes(word))) return Infinity;
  const inName = words.filter(word => name.includes(word)).length;
  return (words.length - inName) * 1000 + (name.startsWith(words[0]) ? 0 : 100) + Math.min(name.length, 99);
}

export function find(index, query, kind) {
  const words = query.toLowerCase().split(/\s+/).filter(word => word);
  if (words.length === 0) return [];
  return index.filter(entry => !kind || entry[0] === kind)
    .map(entry => [rank(entry, words), entry])
    .filter(([value]) => value < Infinity)
    .sort(([a], [b]) => a - b)
    .map(([, entry]) => entry);
}

function item([kind, title, address, about], isOfOneKind) {
  const link = document.createElement('a');
  link.href = addressHere(address);
  const name = document.createElement('strong');
  name.textContent = title;
  const rest = document.createElement('span');
  rest.textContent = isOfOneKind ? about : `${kind}${about ? `: ${about}` : ''}`;
  link.append(name, ' ', rest);
  const entry = document.createElement('li');
  entry.append(link);
  return entry;
}

// Arrows move from the box through the results.
function step(box, event) {
  const stops = [box.querySelector('input'), ...box.querySelectorAll('li a')];
  const at = stops.indexOf(document.activeElement);
  const move = {ArrowDown: 1, ArrowUp: -1}[event.key];
  if (!move || at < 0) return;
  event.preventDefault();
  stops[Math.min(Math.max(at + move, 0), stops.length - 1)].focus();
}

export function makeSearch(box) {
  const input = box.querySelector('input');
  const list = box.querySelector('ul');
  const status = box.querySelector('[role=status]');
  const {kind} = box.dataset;
  const close = () => { list.hidden = true; };
  const show = () => {
    const found = find(index(), input.value, kind);
    list.replaceChildren(...found.slice(0, most).map(entry => item(entry, Boolean(kind))));
    list.hidden = found.length === 0;
    status.textContent = !input.value.trim() ? '' : found.length === 0 ? 'Nothing found.' : `${found.length} found.`;
  };
  box.hidden = false;
  input.addEventListener('input', show);
  input.addEventListener('focus', show);
  box.addEventListener('keydown', event => {
    if (event.key === 'Escape') close();
    else if (event.key === 'Enter' && event.target === input) box.querySelector('li a')?.click();
    else step(box, event);
  });
  box.addEventListener('focusout', event => { if (!box.contains(event.relatedTarget)) close(); });
}
