// What helps the reader of the site: a search over its index, filters of lists, buttons that copy, points to try. What needs this
// script is hidden until it runs; without it all pages say the same.
import {makeFilter} from './filter.mjs';
import {followAddress, isOneFile, placeHere} from './place.mjs';
import {makeSearch} from './search.mjs';
import {makePoint} from './try_point.mjs';

function makeCopy(button) {
  button.hidden = false;
  const label = button.textContent;
  button.addEventListener('click', async () => {
    const source = document.getElementById(button.dataset.copies);
    try {
      await navigator.clipboard.writeText(source.textContent);
      button.textContent = 'Copied';
    } catch {
      getSelection().selectAllChildren(source);
      button.textContent = 'Selected';
    }
    setTimeout(() => { button.textContent = label; }, 2000);
  });
}

// A link into something folded unfolds it.
function unfoldTarget() {
  const place = placeHere();
  const target = place && document.getElementById(place);
  for (let at = target; at; at = at.parentElement) if (at.tagName === 'DETAILS') at.open = true;
  if (target) target.scrollIntoView();
}

function start() {
  document.querySelectorAll('.search').forEach(makeSearch);
  document.querySelectorAll('.filter').forEach(makeFilter);
  document.querySelectorAll('button.copy').forEach(makeCopy);
  document.querySelectorAll('#point').forEach(makePoint);
  unfoldTarget();
}

if (isOneFile) followAddress(start);
else start();
addEventListener('hashchange', unfoldTarget);
