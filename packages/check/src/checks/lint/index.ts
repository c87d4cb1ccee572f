import type { Check } from '../../model/check.js';
import { nothingDeprecated } from './deprecated.js';
import { ruleCheck } from './rule-check.js';

const TITLES: Readonly<Record<string, string>> = {
  'LNT-01': 'every tool has a description of 20 to 1024 characters',
  'LNT-02': 'every parameter has a description',
  'LNT-03': 'a tool with many parameters requires some of them',
  'LNT-04': 'allowed values are declared as an enum, not listed in prose',
  'LNT-05': 'schemas are at most five levels deep',
  'LNT-06': 'a tool has at most fifteen parameters',
  'LNT-07': 'every array says what it holds',
  'LNT-08': 'every parameter has a type',
  'LNT-09': 'schemas do not contradict themselves',
  'LNT-10': 'references in schemas lead somewhere, and not back to themselves',
  'LNT-11': 'every tool has a title and hints about what it does',
  'LNT-12': 'names of tools follow one style',
  'LNT-13': 'names and descriptions of tools can be told apart',
  'LNT-14': 'no tool is told by a free text what to do',
  'LNT-15': 'some tool declares what it returns',
  'LNT-16': 'definitions of tools fit into the budget of a model',
  'LNT-17': 'the instructions are at most 2 kB long',
  'LNT-19': 'no pattern can be made to run for very long',
  'LNT-20': 'all schemas are of the same dialect',
  'LNT-21': 'parameters that are measured name their unit',
  'LNT-22': 'no tool tells the model how to use other tools',
};

/** What the schema doctor says of the definitions, one check per rule, and what is deprecated. */
export const lintChecks: readonly Check[] = [
  ...Object.entries(TITLES).map(([id, title]) => ruleCheck({ id, family: 'lint', title })),
  nothingDeprecated,
];
