// Draws every chart of a page. A chart is a JSON block (script.chart-spec) that names the element it is drawn in; the element
// is hidden until its chart stands, and hidden again if the drawing fails, so that nobody meets an empty frame.
import {expressionInterpreter} from 'vega-interpreter';
import {compile} from 'vega-lite';
import {Handler} from 'vega-tooltip';
import {parse, View} from 'vega';
import {attachCellTooltip} from './cell_tooltip.mjs';
import {makeSortable} from './sortable.mjs';
import {theme} from './theme.mjs';

const tooltip = new Handler({disableDefaultStyle: true, id: 'chart-tooltip'}).call;

async function draw(block, target) {
  const spec = JSON.parse(block.textContent);
  const {spec: program} = compile(spec, {config: theme});
  // The syntax tree and its interpreter stand in for generated code, which the page's security policy forbids.
  const view = new View(parse(program, null, {ast: true}), {
    container: target,
    expr: expressionInterpreter,
    hover: true,
    renderer: 'svg',
    tooltip
  });
  await view.runAsync();
  if (spec.usermeta?.cells) await attachCellTooltip(view, target, spec.usermeta.cells, spec.layer[0].mark.url, tooltip);
}

async function drawAll() {
  for (const block of document.querySelectorAll('script.chart-spec')) {
    const target = document.getElementById(block.dataset.chart);
    target.hidden = false;  // before drawing: the chart takes its width from the element
    try {
      await draw(block, target);
    } catch (error) {
      target.hidden = true;
      target.replaceChildren();
      console.error(`The chart ${block.dataset.chart} could not be drawn.`, error);
    }
  }
  document.documentElement.dataset.charts = 'drawn';
}

document.querySelectorAll('table.sortable').forEach(makeSortable);
drawAll();
