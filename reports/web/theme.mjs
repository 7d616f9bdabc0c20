// The look of every chart: a Vega-Lite configuration whose colours are CSS variables, so that charts follow light, dark and
// print without being drawn again. The variables live in style.css.
const font = 'system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", Arial, sans-serif';
const seriesCount = 8;

export const theme = {
  background: 'transparent',
  font,
  padding: {left: 2, right: 12, top: 6, bottom: 4},
  view: {stroke: 'var(--rule)', continuousHeight: 320},
  range: {category: Array.from({length: seriesCount}, (_, index) => `var(--series-${index + 1})`), symbol: ['circle']},
  axis: {
    aria: false,
    domainColor: 'var(--muted)',
    gridColor: 'var(--grid)',
    labelColor: 'var(--fg)',
    labelFontSize: 12,
    labelFlush: true,
    tickColor: 'var(--muted)',
    titleColor: 'var(--fg)',
    titleFontSize: 12,
    titleFontWeight: 600,
    titlePadding: 8
  },
  legend: {disable: true},
  mark: {aria: false},
  text: {color: 'var(--fg)', fontSize: 12},
  style: {
    budget: {color: 'var(--budget)', opacity: 0.55, strokeWidth: 4},
    exact: {color: 'var(--fg)', filled: true, opacity: 1, shape: 'triangle-up', size: 70},
    halo: {color: 'var(--bg)', stroke: 'var(--bg)', strokeWidth: 4}
  }
};
