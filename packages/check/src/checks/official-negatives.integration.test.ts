import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CheckReport, CheckResult } from '@plugboard/contract';
import { conformanceServer } from '@plugboard/testing';
import { describe, expect, test } from 'vitest';
import { runChecks } from '../run/run-checks.js';
import { checkTarget, type CheckTargetInput } from '../target/target.js';
import { CHECKS } from './registry.js';

// The servers with which the official suite proves its own checks, written anew: what each does wrong must be found, by
// default where that is harmless, and a server that does nothing wrong must not fail.

interface Asked {
  readonly method: string;
  readonly id: unknown;
  readonly params: Readonly<Record<string, unknown>>;
}
type Handle = (asked: Asked) => object | undefined;

/** A server as simple as those of the suite: a POST is a request, an object its result, undefined an unknown method. */
const listening = async (handle: Handle): Promise<{ readonly url: string; readonly close: () => Promise<void> }> => {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const answer = (status: number, body: object | undefined): void => {
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(body === undefined ? undefined : JSON.stringify(body));
      };
      if (request.method !== 'POST') return answer(405, undefined);
      let asked: Partial<Asked>;
      try {
        asked = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Partial<Asked>;
      } catch {
        return answer(400, { jsonrpc: '2.0', id: null, error: { code: -32_700, message: 'Parse error' } });
      }
      const { id, method = '', params = {} } = asked;
      if (id === undefined) return answer(202, undefined);
      const result = handle({ id, method, params });
      if (result !== undefined) return answer(200, { jsonrpc: '2.0', id, result });
      return answer(404, { jsonrpc: '2.0', id, error: { code: -32_601, message: 'Method not found' } });
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, close };
};

const BUDGETS = { quietMs: 20, requestMs: 10_000, startMs: 10_000, concurrency: 8 };

const examine = async (url: string, target: CheckTargetInput = {}): Promise<CheckReport> => {
  const parsed = checkTarget.parse({ url, transport: 'streamable-http', seed: 1, budgets: BUDGETS, ...target });
  return await runChecks(parsed, { checks: CHECKS, version: '0.0.0' });
};

const verdictsOn = async (handle: Handle, target: CheckTargetInput = {}): Promise<readonly CheckResult[]> => {
  const { url, close } = await listening(handle);
  try {
    return (await examine(url, target)).results;
  } finally {
    await close();
  }
};

const idsOf = (results: readonly CheckResult[], verdict: CheckResult['verdict']): readonly string[] => [
  ...new Set(results.filter((one) => one.verdict === verdict).map(({ id }) => id)),
];

const CACHING = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };
const discovered = (capabilities: object): object => ({
  supportedVersions: ['2026-07-28'],
  capabilities,
  serverInfo: { name: 'negative', version: '1.0.0' },
});

const withoutCachingHints: Handle = ({ method }) => {
  switch (method) {
    case 'server/discover':
      return discovered({ tools: {}, resources: {}, prompts: {} });
    case 'tools/list':
      return { tools: [{ name: 'test_tool', description: 'A test tool', inputSchema: { type: 'object' } }] };
    case 'prompts/list':
      return { prompts: [{ name: 'test_prompt', description: 'A test prompt' }] };
    case 'resources/list':
      return { resources: [{ uri: 'test://static-text', name: 'Static Text' }] };
    case 'resources/templates/list':
      return { resourceTemplates: [] };
    case 'resources/read':
      return { contents: [{ uri: 'test://static-text', mimeType: 'text/plain', text: 'Static text content.' }] };
    default:
      return undefined;
  }
};

const withEmptyContents: Handle = ({ method }) => {
  switch (method) {
    case 'server/discover':
      return { ...CACHING, ...discovered({ resources: {} }) };
    case 'resources/list':
      return { ...CACHING, resources: [] };
    case 'resources/read':
      return { ...CACHING, contents: [] };
    default:
      return undefined;
  }
};

const question = (key: string, properties: object): object => ({
  [key]: {
    method: 'elicitation/create',
    params: { message: 'Well?', requestedSchema: { type: 'object', properties, required: Object.keys(properties) } },
  },
});

const NAME_TOOL = 'test_input_required_result_elicitation';
const STATE_TOOL = 'test_input_required_result_tampered_state';

const withBrokenRounds: Handle = ({ method, params }) => {
  switch (method) {
    case 'server/discover':
      return discovered({ tools: {}, prompts: {} });
    case 'prompts/list':
      return { prompts: [] };
    case 'tools/list':
      return {
        resultType: 'input_required',
        inputRequests: question('bogus', {}),
        tools: [NAME_TOOL, STATE_TOOL].map((name) => ({ name, inputSchema: { type: 'object', properties: {} } })),
      };
    case 'tools/call': {
      const answered = params['inputResponses'] !== undefined;
      if (answered) return { content: [{ type: 'text', text: 'Accepted without a look at the state.' }] };
      if (params['name'] === NAME_TOOL) return { inputRequests: question('user_name', { name: { type: 'string' } }) };
      return {
        resultType: 'input_required',
        inputRequests: question('confirm', { ok: { type: 'boolean' } }),
        requestState: JSON.stringify({ user: 'alice', step: 1 }),
      };
    }
    default:
      return undefined;
  }
};

/** As the suite asks for it, and with its vocabulary taken out on the way. */
const withSchema =
  (inputSchema: object): Handle =>
  ({ method }) => {
    if (method === 'server/discover') return { ...CACHING, ...discovered({ tools: {} }) };
    return method === 'tools/list'
      ? { ...CACHING, tools: [{ name: 'json_schema_2020_12_tool', description: 'A tool.', inputSchema }] }
      : undefined;
  };

const PLAIN = { type: 'object', properties: { name: { type: 'string' }, address: { type: 'object' } } };
const WHOLE = {
  ...PLAIN,
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $defs: { name: { $anchor: 'name', type: 'string' } },
  anyOf: [{ required: ['name'] }, { required: ['address'] }],
  if: { required: ['address'] },
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  then: { required: ['name'] },
  additionalProperties: false,
};

interface Planted {
  readonly fault: string;
  readonly handle: Handle;
  readonly ids: readonly string[];
  /** What may be called; nothing by default. */
  readonly tools?: CheckTargetInput['tools'];
}

const PLANTED: readonly Planted[] = [
  { fault: 'no protection against DNS rebinding', handle: withEmptyContents, ids: ['HTP-06'] },
  { fault: 'empty contents for a resource that does not exist', handle: withEmptyContents, ids: ['RES-03', 'RES-04'] },
  { fault: 'no caching hints', handle: withoutCachingHints, ids: ['TOL-21', 'RES-11'] },
  { fault: 'input_required on tools/list, without calling a tool', handle: withBrokenRounds, ids: ['MRT-01'] },
  {
    fault: 'questions without resultType, and a state that is not verified',
    handle: withBrokenRounds,
    ids: ['TOL-11', 'MRT-03'],
    tools: { [NAME_TOOL]: {}, [STATE_TOOL]: {} },
  },
];

describe('what is wrong with a negative server of the official suite is found', () => {
  test.each(PLANTED)('$fault', async ({ handle, ids, tools = {} }) => {
    const failed = idsOf(await verdictsOn(handle, { tools, only: [...ids] }), 'fail');
    expect(failed).toEqual(expect.arrayContaining([...ids]));
  });

  test('the vocabulary of JSON Schema 2020-12, lost on the way', async () => {
    const other = await listening(withSchema(PLAIN));
    try {
      const differential = { url: other.url, transport: 'streamable-http' } as const;
      const results = await verdictsOn(withSchema(WHOLE), { differential, only: ['DIF-*'] });
      expect(results.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id)).toEqual(['DIF-02']);
    } finally {
      await other.close();
    }
  });
});

describe('a server that behaves as the one which passes the official suite', () => {
  test('fails no MUST', async () => {
    const server = conformanceServer();
    try {
      const { url } = await server.listenHttp();
      const { results, outcome } = await examine(url);
      expect(results.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
      expect(outcome).toBe('passed');
    } finally {
      await server.close();
    }
  });
});
