// What a page's script does once the page stands. Without it charts are pictures and tables keep their order.
import {answerReaders} from './charts.mjs';
import {makeSortable} from './sortable.mjs';

function start() {
  document.querySelectorAll('table.sortable').forEach(makeSortable);
  document.querySelectorAll('figure.chart').forEach(answerReaders);
}

start();
document.addEventListener('vernier:page', start);  // another page of the same file
