// What a page's script does once the page stands. Without it charts are pictures and tables keep their order.
import {answerReaders} from './charts.mjs';
import {makeSortable} from './sortable.mjs';

document.querySelectorAll('table.sortable').forEach(makeSortable);
document.querySelectorAll('figure.chart').forEach(answerReaders);
