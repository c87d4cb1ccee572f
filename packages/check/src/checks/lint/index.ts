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
  'LNT-07': 'every array declares its items',
  'LNT-08': 'every parameter has a type',
  'LNT-09': 'schemas do not contradict themselves',
  'LNT-10': 'references in schemas have a target and are not recursive',
  'LNT-11': 'every tool has a title and hints about what it does',
  'LNT-12': 'names of tools follow one style',
  'LNT-13': 'names and descriptions of tools can be told apart',
  'LNT-14': 'no free-text parameter decides what a tool does',
  'LNT-15': 'at least one tool declares an output schema',
  'LNT-16': 'tool definitions fit into the token budget',
  'LNT-17': 'the instructions are at most 2 kB long',
  'LNT-19': 'no pattern can be forced to run for very long',
  'LNT-20': 'all schemas use the same dialect',
  'LNT-21': 'parameters with a quantity name their unit',
  'LNT-22': 'no tool tells the model how to use other tools',
};

/** What the schema doctor says of the definitions, one check per rule, and what is deprecated. */
export const lintChecks: readonly Check[] = [
  ...Object.entries(TITLES).map(([id, title]) => ruleCheck({ id, family: 'lint', title })),
  nothingDeprecated,
];
