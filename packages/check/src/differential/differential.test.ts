import type { CheckReport } from '@plugboard/contract';
import { memoryNetwork, MutantServer, referenceServer } from '@plugboard/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { isObject, type JsonObject } from '../connection/json.js';
import { runChecks } from '../run/run-checks.js';
import { checkTarget, type CheckTargetInput } from '../target/target.js';
import { networkOf } from '../test-support/cell.js';

type Mutation = NonNullable<ConstructorParameters<typeof MutantServer>[0]>;

const network = memoryNetwork();

const addressOf = async (server: MutantServer) => {
  onTestFinished(() => server.close());
  return { url: (await server.listenHttp(network)).url, transport: 'streamable-http' as const };
};

/** With arguments for which they are quick. */
const TOOLS = {
  sleep: { arguments: { ms: 5 } },
  progress: { arguments: { steps: 2 } },
};
const BUDGETS = { quietMs: 20, requestMs: 5_000, startMs: 5_000, concurrency: 8 };

const compare = (target: CheckTargetInput): Promise<CheckReport> =>
  runChecks(checkTarget.parse({ seed: 1, budgets: BUDGETS, tools: TOOLS, ...target }), {
    checks: [],
    version: '0.0.0',
    network: networkOf(network),
  });

const red = ({ results }: CheckReport): readonly string[] =>
  results
    .filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')
    .map(({ id, detail }) => `${id}: ${detail ?? ''}`);

/** Changes the results of one method, and nothing else. */
const changing = (method: string, change: (result: JsonObject) => JsonObject): Mutation => ({
  toClient: (message, { request }) =>
    request?.['method'] === method && isObject(message['result'])
      ? { ...message, result: change(message['result']) }
      : message,
});

const eachOf = (member: string, change: (element: JsonObject) => JsonObject) => (result: JsonObject) => ({
  ...result,
  [member]: (result[member] as readonly JsonObject[]).map(change),
});

const erring: Mutation = {
  toClient: (message) =>
    isObject(message['error']) && message['error']['code'] === -32_601
      ? { ...message, error: { ...message['error'], code: -32_603 } }
      : message,
};

const withoutCompletions = (result: JsonObject): JsonObject => {
  const { completions: _gone, ...capabilities } = result['capabilities'] as JsonObject;
  return { ...result, capabilities };
};

/** The same server with one defect on one of its ways, and the check that has to notice. */
const DEFECTS: readonly (readonly [string, string, Mutation])[] = [
  ['DIF-01', 'completions are not declared', changing('initialize', withoutCompletions)],
  [
    'DIF-02',
    'a parameter of a tool has another bound',
    changing(
      'tools/list',
      eachOf('tools', (tool) =>
        tool['name'] === 'add'
          ? { ...tool, inputSchema: { ...(tool['inputSchema'] as JsonObject), title: 'New' } }
          : tool,
      ),
    ),
  ],
  [
    'DIF-03',
    'resources have another type',
    changing(
      'resources/list',
      eachOf('resources', (resource) => ({ ...resource, mimeType: 'text/other' })),
    ),
  ],
  [
    'DIF-04',
    'a template is described otherwise',
    changing(
      'resources/templates/list',
      eachOf('resourceTemplates', (one) => ({ ...one, description: 'Other.' })),
    ),
  ],
  [
    'DIF-05',
    'prompts are described otherwise',
    changing(
      'prompts/list',
      eachOf('prompts', (prompt) => ({ ...prompt, description: 'Other.' })),
    ),
  ],
  [
    'DIF-06',
    'text of results is cut',
    changing(
      'tools/call',
      eachOf('content', (block) => (block['type'] === 'text' ? { ...block, text: 'cut' } : block)),
    ),
  ],
  [
    'DIF-07',
    'contents lose their type',
    changing(
      'resources/read',
      eachOf('contents', ({ mimeType: _lost, ...content }) => content),
    ),
  ],
  [
    'DIF-08',
    'the roles of messages are swapped',
    changing(
      'prompts/get',
      eachOf('messages', (one) => ({ ...one, role: one['role'] === 'user' ? 'assistant' : 'user' })),
    ),
  ],
  ['DIF-09', 'an unknown method is an internal error', erring],
];

describe('a defect of one way only', () => {
  test.each(DEFECTS)('%s notices: %s', async (id, _defect, mutation) => {
    const options: Mutation['options'] = (given) => ({ ...given, eras: 'legacy' });
    const here = await addressOf(referenceServer('legacy'));
    const there = await addressOf(new MutantServer({ ...mutation, options }));
    const report = await compare({ ...here, differential: there });
    expect(
      report.results.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn').map((one) => one.id),
    ).toEqual([id]);
    expect(report.outcome).toBe(id === 'DIF-01' ? 'passed' : 'failed');
  });

  test('stands in the report with what both ways said, and with both lines to see it again', async () => {
    const options: Mutation['options'] = (given) => ({ ...given, eras: 'legacy' });
    const [, , mutation] = DEFECTS.find(([id]) => id === 'DIF-07') ?? DEFECTS[0] ?? [];
    const here = await addressOf(referenceServer('legacy'));
    const there = await addressOf(new MutantServer({ ...mutation, options }));
    const secret = 'secret-of-the-other-side';
    const report = await compare({ ...here, differential: { ...there, headers: { 'X-Key': secret } } });
    const result = report.results.find(({ id }) => id === 'DIF-07');
    expect(result?.detail).toMatch(/^contents\/test:\/\/.*mimeType: .* here, missing there\./u);
    expect(result?.evidence?.reproduce).toMatch(/curl .*; echo; .*curl /u);
    expect(result?.evidence?.received).toMatch(/Here:[\s\S]*There:/u);
    expect(result?.evidence?.transcript.length).toBeGreaterThan(2);
    expect(JSON.stringify(report)).not.toContain(secret);
  });

  test('that shows once is a warning', async () => {
    let isSpent = false;
    const [, , { toClient } = {}] = DEFECTS.find(([id]) => id === 'DIF-07') ?? [];
    const here = await addressOf(referenceServer('legacy'));
    const there = await addressOf(
      new MutantServer({
        options: (given) => ({ ...given, eras: 'legacy' }),
        toClient: (message, context) => {
          if (isSpent) return message;
          const changed = toClient?.(message, context);
          isSpent = changed !== message;
          return changed;
        },
      }),
    );
    const report = await compare({ ...here, differential: there });
    const { verdict, detail } = report.results.find(({ id }) => id === 'DIF-07') ?? {};
    expect(isSpent).toBe(true);
    expect([verdict, detail]).toEqual(['warn', expect.stringMatching(/^Not at every try: /u)]);
  });

  test('is no defect when it is meant', async () => {
    const options: Mutation['options'] = (given) => ({ ...given, eras: 'legacy' });
    const [, , mutation] = DEFECTS.find(([id]) => id === 'DIF-05') ?? DEFECTS[0] ?? [];
    const here = await addressOf(referenceServer('legacy'));
    const there = await addressOf(new MutantServer({ ...mutation, options }));
    const report = await compare({ ...here, differential: { ...there, permit: ['prompts/*/description'] } });
    expect(red(report)).toEqual([]);
  });
});

test('another way that does not answer is said, and nothing counts as compared', async () => {
  const here = await addressOf(referenceServer('legacy'));
  const report = await compare({ ...here, differential: { url: 'http://127.0.0.1:9/mcp' } });
  expect(report.outcome).toBe('not-examined');
  expect(report.reason).toContain('The other connection to the server cannot be checked');
});
