// The part of Vega that the reports' charts use, in the place of the package "vega" (build.mjs sets the alias). Maps, trees,
// force layouts, word clouds and the data loaders stay out, which saves a fifth of the bundle.
import {transforms} from 'vega-dataflow';
import * as encode from 'vega-encode';
import * as dataTransforms from 'vega-transforms';
import {extend} from 'vega-util';
import * as viewTransforms from 'vega-view-transforms';

extend(transforms, dataTransforms, viewTransforms, encode);

export * from 'vega-statistics';
export * from 'vega-time';
export * from 'vega-util';
export {parse} from 'vega-parser';
export {View} from 'vega-view';
