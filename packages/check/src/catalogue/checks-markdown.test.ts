import { MUTANTS } from '@plugboard/testing';
import { expect, test } from 'vitest';
import { CHECKS } from '../checks/registry.js';
import { checksMarkdown } from './checks-markdown.js';

test('docs/checks.md says what the checks say (node scripts/check-docs.mjs writes it anew)', async () => {
  await expect(checksMarkdown(CHECKS, MUTANTS)).toMatchFileSnapshot('../../../../docs/checks.md');
});
