import { expect, it } from 'vitest';
import { adaptTool } from './adapt-tool.js';
import { adaptArguments, restoreArguments } from './restore-plan.js';

it('brings back a member called __proto__ that was left out, although the validator cannot judge it', () => {
  const inputSchema: unknown = JSON.parse(
    '{"type":"object","properties":{"a":{"type":"array","prefixItems":[{"type":"array","items":{"type":"string"}},{"type":"object","properties":{"__proto__":{"type":"string"}}}]}}}',
  );
  const { plan } = adaptTool({ name: 'a_tool', description: 'Does it.', inputSchema }, 'openai-strict');
  const args = { a: [['x'], {}] };
  expect(restoreArguments(plan, adaptArguments(plan, args))).toEqual({ ok: true, args });
});
