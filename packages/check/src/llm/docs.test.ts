import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { acceptanceChecks } from './run/acceptance.js';
import { LLM_CHECKS } from './run/run-llm-checks.js';

const page = readFileSync(new URL('../../../../docs/check-llm.md', import.meta.url), 'utf8');

test.each([...LLM_CHECKS, ...acceptanceChecks([{ original: 'x', name: 'x', description: '', inputSchema: {} }])])(
  'the documentation has the rule of $id',
  ({ id, level, family, rule, remedy }) => {
    const own = id.replace(/:.*/u, '');
    expect(page).toContain(`<a id="${own.toLowerCase()}"></a>`);
    const [, section = ''] = page.split(`### ${own}:`);
    expect(section.split('###')[0]).toContain(`${level} · ${family}\n\n${rule} To fix it: ${remedy}`);
  },
);

test('every check has an id of its own', () => {
  const ids = LLM_CHECKS.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});
