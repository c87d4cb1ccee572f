import { fileURLToPath } from 'node:url';
import { Client as ClientOfSdk1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioOfSdk1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { CHECKS, checkTarget, runChecks, type CheckTargetInput } from '@plugboard/check';
import { describe, expect, test } from 'vitest';
import { serverProgram, startServer } from './bundled-server.js';

const fixtures = fileURLToPath(new URL('../../../packages/servers/test/fixtures/', import.meta.url));

/** Only these can fail. */
const MUST = CHECKS.filter(({ level }) => level === 'MUST');

const faultsOf = async (input: CheckTargetInput) => {
  const budgets = { quietMs: 60, requestMs: 10_000, concurrency: 8, generated: 2 };
  const report = await runChecks(checkTarget.parse({ budgets, ...input }), {
    checks: MUST,
    version: '0',
    baseEnv: { PATH: process.env['PATH'] ?? '' },
  });
  expect(report.reason).toBeUndefined();
  expect(report.summary.pass).toBeGreaterThan(30);
  return report.results.filter(({ verdict }) => verdict === 'fail').map(({ id, era, detail }) => ({ id, era, detail }));
};

const CALLABLE = { run_code: { arguments: { code: 'await null; 1 + 1' } } };

describe.each([
  { name: 'sandbox', args: [], tools: CALLABLE },
  { name: 'collections', args: ['--dir', 'collections'], tools: {} },
])('the $name server', ({ name, args, tools }) => {
  test('has no fault over HTTP, and ends when it is asked to', async () => {
    const server = await startServer(name, args, fixtures);
    try {
      const url = new URL('/mcp', server.url).href;
      expect(await faultsOf({ url, tier: 'standard', tools })).toEqual([]);
    } finally {
      expect(await server.end()).toBe(0);
    }
  });
});

test('an older client over stdio runs code and a collection', async () => {
  const call = async (name: string, args: string[], tool: string, input: Record<string, unknown>) => {
    const client = new ClientOfSdk1({ name: 'sdk-1', version: '1.0.0' });
    const command = { command: process.execPath, args: [serverProgram(name), ...args], cwd: fixtures };
    await client.connect(new StdioOfSdk1({ ...command, stderr: 'ignore' }));
    try {
      return await client.callTool({ name: tool, arguments: input });
    } finally {
      await client.close();
    }
  };
  const code = { code: 'const n: number = 20; n + 1', language: 'typescript' };
  expect(await call('sandbox', [], 'run_code', code)).toMatchObject({ structuredContent: { result: { value: 21 } } });
  const outside = { collection: 'Pets', variables: { baseUrl: 'http://example.com', apiKey: 'k' } };
  expect(await call('collections', ['--dir', 'collections'], 'run_collection', outside)).toMatchObject({
    structuredContent: {
      totals: { requests: 3, errors: 3 },
      requests: [{ error: { code: 'HOST_NOT_ALLOWED' } }, {}, {}],
    },
  });
});
