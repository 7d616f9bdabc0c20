// Where a page's address leads: to a file beside it, or, where the whole site is one file, to a page inside it. There the part of
// the address behind # names the page, and after a slash the place on it: "#models", "#claims/S1-07".
const pages = new Map([...document.querySelectorAll('template[data-page]')].map(page => [page.dataset.page, page]));

export const isOneFile = pages.size > 0;
const first = 'index';

// The page that an address names, and the place on it.
function read(address) {
  const [, name, place] = /^#?([a-z0-9-]*)(?:\/(.*))?$/s.exec(address) ?? [];
  return pages.has(name) ? {name, place: place ?? ''} : {name: first, place: ''};
}

// The address of a page of the site, as a link to it from any page.
export function addressHere(address, from) {
  const [, name, place] = /^(?:([a-z0-9-]+)\.html)?(?:#(.*))?$/s.exec(address) ?? [];
  const page = name ?? from;
  if (!isOneFile || !pages.has(page)) return address;
  return place ? `#${page}/${place}` : `#${page}`;
}

// The place on the page that the address names.
export function placeHere() {
  const {hash} = location;
  return decodeURIComponent(isOneFile ? read(hash).place : hash.slice(1));
}

function show(name) {
  const page = pages.get(name);
  const body = page.content.cloneNode(true);
  for (const link of body.querySelectorAll('a[href]')) link.setAttribute('href', addressHere(link.getAttribute('href'), name));
  for (const part of ['header', 'main']) document.querySelector(`body > ${part}`).replaceWith(body.querySelector(part));
  document.title = page.dataset.title;
}

// Follows the address. \param start what is to be done with each page once it stands
export function followAddress(start) {
  let shown;
  const follow = () => {
    const {name} = read(location.hash);
    if (name === shown) return;
    const isFirst = shown === undefined;
    shown = name;
    show(name);
    scrollTo(0, 0);
    if (!isFirst) document.querySelector('main').focus({preventScroll: true});
    start();
    document.dispatchEvent(new Event('vernier:page'));
  };
  // Before what pages listen to: who is not shown any more does not hear of it.
  addEventListener('hashchange', follow);
  follow();
}
