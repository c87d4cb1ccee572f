import { anyToText, deepToText } from './step/to-text.js';
import { completeNode } from './step/complete-node.js';
import { dropKeywords } from './step/drop-keywords.js';
import { enumToLookup } from './step/enum-to-lookup.js';
import { largeEnums } from './step/large-enums.js';
import { mapToEntries } from './step/map-to-entries.js';
import { mergeAllOf } from './step/merge-all-of.js';
import { nullToNullable } from './step/null-to-nullable.js';
import { oneOfToAnyOf } from './step/one-of-to-any-of.js';
import { optionalToNullable } from './step/optional-to-nullable.js';
import { renameKeys } from './step/rename-keys.js';
import { restProperty } from './step/rest-property.js';
import { splitTypes } from './step/split-types.js';
import { spreadUnion } from './step/spread-union.js';
import type { Step } from './step/step.js';
import { tupleToList } from './step/tuple-to-list.js';
import { wrapRoot } from './step/wrap-root.js';

/** Every rewrite, in the order in which they are applied. The mapping back runs through them the other way. */
export const STEPS: readonly Step[] = [
  // the core form: one type or one union per node, nothing left to be understood
  tupleToList,
  mergeAllOf,
  oneOfToAnyOf,
  splitTypes,
  spreadUnion,
  completeNode,
  enumToLookup,
  splitTypes,
  wrapRoot,
  // what the profile cannot express takes another form
  mapToEntries,
  restProperty,
  anyToText,
  deepToText,
  dropKeywords,
  largeEnums,
  renameKeys,
  optionalToNullable,
  nullToNullable,
];
