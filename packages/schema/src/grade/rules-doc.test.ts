import { expect, it } from 'vitest';
import { CHANGES } from '../normalise/normalise-schema.js';
import { RULES, type Rule } from './rule.js';

const row = (...cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

const table = (effect: Rule['effect']): string[] => [
  row('rule', 'what is wrong', 'what to do'),
  row('---', '---', '---'),
  ...Object.entries(RULES)
    .filter(([, rule]) => rule.effect === effect)
    .map(([id, { sentence, fix }]) => row(id, sentence, fix)),
];

const page = (): string =>
  [
    '# Schema rules',
    '',
    'Generated from the tables in `packages/schema/src/grade/rule.ts` and `packages/schema/src/normalise/change.ts` by',
    '`node scripts/schema-docs.mjs`. Each reason of a grade has its rule, the location as a JSON pointer into the input',
    'schema, a message and a fix.',
    '',
    '## INVALID: no client can use the tool',
    '',
    ...table('INVALID'),
    '',
    '## NON_STRICT_ONLY: usable, but not in strict mode',
    '',
    ...table('NON_STRICT_ONLY'),
    '',
    '## Changes made by normalising',
    '',
    row('change', 'what it does'),
    row('---', '---'),
    ...Object.entries(CHANGES).map(([id, sentence]) => row(id, sentence)),
    '',
  ].join('\n');

it('docs/schema-rules.md says what the tables say', async () => {
  await expect(page()).toMatchFileSnapshot('../../../../docs/schema-rules.md');
});
