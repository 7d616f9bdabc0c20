// The tooltip of a heat map. Its picture is a palette PNG with one pixel a cell, so the picture itself tells what a cell
// holds: the colour under the pointer is looked up in the legend, and no second copy of the data is needed.

function pixelsOf(url) {
  return new Promise((resolve, reject) => {
    const image = new Image();
    image.onload = () => {
      const canvas = document.createElement('canvas');
      canvas.width = image.naturalWidth;
      canvas.height = image.naturalHeight;
      const context = canvas.getContext('2d', {willReadFrequently: true});
      context.drawImage(image, 0, 0);
      resolve(context.getImageData(0, 0, canvas.width, canvas.height));
    };
    image.onerror = reject;
    image.src = url;
  });
}

function labelAt(pixels, column, row, labels) {
  const start = 4 * (row * pixels.width + column);
  const channels = [...pixels.data.subarray(start, start + 3)];
  return labels[`#${channels.map(channel => channel.toString(16).padStart(2, '0')).join('')}`];
}

// The part of an axis that one cell covers: 'from – to', or just 'from' where cells are one unit wide.
function extent(scale, size, index, count) {
  const ends = [index, index + 1].map(edge => scale.invert(size * edge / count)).sort((a, b) => a - b);
  const [from, to] = ends.map(value => Number(value.toPrecision(6)));
  return to - from === 1 ? `${from}` : `${Number(from.toPrecision(4))} – ${Number(to.toPrecision(4))}`;
}

export async function attachCellTooltip(view, target, cells, url, tooltip) {
  const pixels = await pixelsOf(url);
  const hide = event => tooltip(null, event, null, null);
  view.addEventListener('pointermove', event => {
    const box = target.querySelector('svg').getBoundingClientRect();
    const [left, top] = view.origin();
    const [width, height] = [view.width(), view.height()];
    const x = event.clientX - box.left - left;
    const y = event.clientY - box.top - top;
    if (x < 0 || y < 0 || x >= width || y >= height) return hide(event);
    const column = Math.floor(x / width * pixels.width);
    const row = Math.floor(y / height * pixels.height);
    tooltip(null, event, null, {
      [cells.x]: extent(view.scale('x'), width, column, pixels.width),
      [cells.y]: extent(view.scale('y'), height, row, pixels.height),
      [cells.value]: labelAt(pixels, column, row, cells.labels)
    });
  });
  view.addEventListener('pointerout', hide);
}
