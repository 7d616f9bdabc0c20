// Filters a list: its fields hide the items that do not fit. An item is whatever the filter's data-items selects; a field named
// "text" is looked for in the item's words, any other must equal the item's data attribute of that name.
const words = item => (item.dataset.words ?? item.textContent).toLowerCase();

function fits(item, fields) {
  return fields.every(({name, value}) => !value ||
    (name === 'text' ? value.toLowerCase().split(/\s+/).every(word => words(item).includes(word)) : item.dataset[name] === value));
}

// A group of items unfolds while a filter is on, and hides when nothing in it fits.
function showGroup(group, isOn) {
  const left = group.querySelectorAll('[data-item]:not([hidden])').length;
  group.hidden = left === 0;
  if (group.tagName === 'DETAILS') group.open = isOn;
}

export function makeFilter(filter) {
  const items = [...document.querySelectorAll(filter.dataset.items)];
  const groups = [...document.querySelectorAll(filter.dataset.groups)];
  const fields = [...filter.querySelectorAll('input, select')];
  const told = filter.querySelector('output');
  for (const item of items) item.dataset.item = '';
  const tell = left => {
    told.textContent = [`${left} of ${items.length}`, filter.dataset.unit].filter(Boolean).join(' ');
  };
  const apply = () => {
    let left = 0;
    for (const item of items) {
      item.hidden = !fits(item, fields);
      left += item.hidden ? 0 : 1;
    }
    const isOn = fields.some(({value}) => value);
    for (const group of groups) showGroup(group, isOn);
    tell(left);
  };
  for (const field of fields) field.addEventListener('input', apply);
  filter.hidden = false;
  tell(items.length);
}
