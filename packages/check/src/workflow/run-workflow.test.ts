import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import type { Launch } from '../connection/child.js';
import { messagesIn, type JsonObject } from '../connection/json.js';
import { scriptedServer, type Script } from '../test-support/scripted-server.js';
import { runWorkflow, type WorkflowOptions } from './run-workflow.js';
import { defineWorkflow, type StepTools, type WorkflowDefinition } from './workflow.js';

const text = (said: string) => ({ result: { content: [{ type: 'text', text: said }] } });

/** `echo` repeats its text, `counter` counts its calls, `broken` fails; everything else is an unknown tool. */
const tools = (): Script => {
  let count = 0;
  return (method, params) => {
    if (method === 'resources/list') return { result: { resources: [{ uri: 'memo://1' }] } };
    if (method !== 'tools/call') return undefined;
    const args = params['arguments'] as { readonly text?: string };
    if (params['name'] === 'echo') return text(String(args.text));
    if (params['name'] === 'counter') return text(String((count += 1)));
    if (params['name'] === 'broken') return { result: { ...text('disk full').result, isError: true } };
    return { error: { code: -32_602, message: 'Unknown tool' } };
  };
};

const run = async (
  definition: Omit<WorkflowDefinition, 'name' | 'servers'>,
  options: Partial<WorkflowOptions> = {},
  script: Script = tools(),
) => {
  const server = scriptedServer(script);
  const plan = defineWorkflow({
    name: 'flow',
    servers: { one: { command: ['one'], env: { API_KEY: 's3cret-value' } }, two: { command: ['two'] } },
    ...definition,
  });
  const report = await runWorkflow(plan, { version: '1.0.0', launch: server.launch, ...options });
  const verdicts = report.results.map(({ id, verdict }) => `${id} ${verdict}`);
  const called = server.asked.filter(({ method }) => method === 'tools/call').map(({ params }) => params);
  return { report, verdicts, called, details: report.results.map(({ detail }) => detail), running: server.running() };
};

const echo = (said: string, on = 'one') => ({
  name: `say ${said}`,
  server: on,
  tool: 'echo',
  arguments: { text: said },
});

describe('the steps of a workflow', () => {
  test('pass captured values on, also to another server', async () => {
    const { report, verdicts, called } = await run({
      variables: { who: 'world' },
      steps: [
        { ...echo('hello ${who}'), capture: { said: 'content[0].text' } },
        { ...echo('${said}!', 'two'), expect: [{ path: 'content[0].text', equals: 'hello world!' }] },
        {
          name: 'list',
          server: 'two',
          method: 'resources/list',
          expect: [{ path: 'resources[0].uri', equals: 'memo://1' }],
        },
      ],
    });
    expect(verdicts).toEqual(['STEP-01 pass', 'STEP-02 pass', 'STEP-03 pass']);
    expect(called.map(({ arguments: args }) => args)).toEqual([{ text: 'hello world' }, { text: 'hello world!' }]);
    expect([report.kind, report.target.label, report.outcome]).toEqual(['workflow', 'flow', 'passed']);
    expect(report.results[0]).toMatchObject({ family: 'flow', era: 'legacy', transport: 'stdio' });
  });

  test('use the variables of the run instead of those of the file', async () => {
    const { called } = await run(
      { variables: { who: 'world' }, steps: [echo('${who}')] },
      { variables: { who: 'you' } },
    );
    expect(called).toMatchObject([{ name: 'echo', arguments: { text: 'you' } }]);
  });

  test('stop at the first failure; the teardown runs completely', async () => {
    const { verdicts, details, called, report } = await run({
      steps: [{ ...echo('a'), expect: [{ path: 'content[0].text', equals: 'b' }] }, echo('not reached')],
      teardown: [echo('${nothing}'), { name: 'unknown', server: 'one', tool: 'missing' }, echo('bye')],
    });
    expect(verdicts).toEqual([
      'STEP-01 fail',
      'STEP-02 not-verified',
      'TEARDOWN-01 not-applicable',
      'TEARDOWN-02 fail',
      'TEARDOWN-03 pass',
    ]);
    expect(details[1]).toBe('An earlier step failed.');
    expect(details[3]).toBe('The server answered with error -32602 "Unknown tool".');
    expect(called.map(({ name }) => name)).toEqual(['echo', 'missing', 'echo']);
    expect(report.outcome).toBe('failed');
  });

  test('fail with the text of the tool, or with the path that has no value', async () => {
    const broken = await run({ steps: [{ name: 'broken', server: 'one', tool: 'broken' }] });
    expect(broken.details).toEqual(['The tool failed: disk full']);
    const empty = await run({ steps: [{ ...echo('x'), capture: { id: 'structuredContent.id' } }] });
    expect(empty.details).toEqual(['structuredContent.id has no value, so "id" cannot be captured.']);
  });

  test('can demand an error, and look into it', async () => {
    const { verdicts, details } = await run({
      steps: [
        {
          name: 'refused',
          server: 'one',
          tool: 'missing',
          expectError: true,
          expect: [{ path: 'error.code', equals: -32_602 }],
        },
        { ...echo('accepted'), expectError: true },
      ],
    });
    expect(verdicts).toEqual(['STEP-01 pass', 'STEP-02 fail']);
    expect(details[1]).toBe('The call succeeded, but must fail.');
  });

  test('are repeated until they hold, and at most as often as allowed', async () => {
    const count = { name: 'count', server: 'one', tool: 'counter' };
    const { verdicts, details, called } = await run({
      steps: [
        { ...count, retry: { attempts: 5, delayMs: 1 }, expect: [{ path: 'content[0].text', equals: '3' }] },
        { ...count, retry: { attempts: 2, delayMs: 1 }, expect: [{ path: 'content[0].text', equals: 'never' }] },
      ],
    });
    expect(verdicts).toEqual(['STEP-01 pass', 'STEP-02 fail']);
    expect(details).toEqual(['after 3 attempts', expect.stringMatching(/\(2 attempts\)$/u)]);
    expect(called).toHaveLength(5);
  });

  test('show neither secrets nor endless answers', async () => {
    const { report } = await run({
      variables: { long: 'x'.repeat(9_000) },
      steps: [{ ...echo('s3cret-value ${long}'), name: 'leak', expect: [{ path: 'isError', equals: true }] }],
    });
    const evidence = report.results[0]?.evidence;
    expect(JSON.stringify(report)).not.toContain('s3cret-value');
    expect(evidence?.received).toMatch(/… \(\d+ characters\)$/u);
    expect(evidence?.received.length).toBeLessThan(8_100);
  });
});

describe('steps in code', () => {
  test('call tools and send requests; what they return becomes variables', async () => {
    const { verdicts, called } = await run({
      variables: { who: 'world' },
      steps: [
        {
          name: 'code',
          run: async ({ call, request, variables }) => {
            const listed = await request('two', 'resources/list');
            const said = await call('one', 'echo', { text: String(variables['who']) });
            return { listed: listed['resources'], said: said['content'] };
          },
        },
        echo('${said[0].text} ${listed[0].uri}'),
        { name: 'returns nothing', run: async () => undefined },
      ],
    });
    expect(verdicts).toEqual(['STEP-01 pass', 'STEP-02 pass', 'STEP-03 pass']);
    expect(called.at(-1)).toMatchObject({ arguments: { text: 'world memo://1' } });
  });

  test.each([
    ['an error of the tool', 'broken', 'The tool failed: disk full'],
    ['an error of the server', 'missing', 'The server answered with error -32602 "Unknown tool".'],
  ])('reject with %s', async (_what, tool, detail) => {
    const { details } = await run({
      steps: [{ name: 'code', run: async ({ call }) => void (await call('one', tool)) }],
    });
    expect(details).toEqual([detail]);
  });

  test('end at their deadline', async () => {
    const { details } = await run({
      steps: [{ name: 'hangs', timeoutMs: 5, run: () => new Promise<never>(() => undefined) }],
    });
    expect(details).toEqual(['The step was cancelled or exceeded its time limit.']);
  });
});

describe('a run', () => {
  test('names the cells of its matrix, and reports each result when it is known', async () => {
    const told: string[] = [];
    const { report, verdicts } = await run(
      {
        matrix: {
          servers: {
            one: [
              { name: 'old', command: ['a'] },
              { name: 'new', command: ['b'] },
            ],
          },
        },
        steps: [echo('x')],
      },
      { onResult: ({ id }) => void told.push(id) },
    );
    expect(verdicts).toEqual(['STEP-01@one=old pass', 'STEP-01@one=new pass']);
    expect(told).toEqual(report.results.map(({ id }) => id));
    expect(report.results.map(({ family }) => family)).toEqual(['flow (one=old)', 'flow (one=new)']);
  });

  test('that is cancelled still cleans up, and leaves no program behind', async () => {
    const stop = new AbortController();
    const { report, verdicts, details, running } = await run(
      {
        steps: [{ name: 'stops', run: async () => stop.abort() }, echo('never')],
        teardown: [echo('bye')],
      },
      { signal: stop.signal },
    );
    expect([report.outcome, verdicts.at(-1), running]).toEqual(['not-examined', 'TEARDOWN-01 pass', 0]);
    expect(details[1]).toBe('The run was cancelled or exceeded its time limit.');
  });

  test('that is cancelled does not wait for the request in flight', async () => {
    const stop = new AbortController();
    const server = scriptedServer(tools());
    const silent: Launch = (program) => {
      const child = server.launch(program);
      const stdin = new PassThrough();
      // The call never reaches the server; the cancel comes while it waits.
      stdin.on('data', (chunk: Buffer) => {
        if (String(chunk).includes('"lost"')) stop.abort();
        else child.stdin.write(chunk);
      });
      stdin.on('end', () => child.stdin.end());
      return { ...child, stdin };
    };
    const { report, verdicts, details } = await run(
      { steps: [echo('lost')], teardown: [echo('bye')] },
      { signal: stop.signal, launch: silent },
    );
    expect([report.outcome, ...verdicts]).toEqual(['not-examined', 'STEP-01 fail', 'TEARDOWN-01 pass']);
    expect(details[0]).toBe('The run was cancelled or exceeded its time limit.');
  }, 5_000);

  const cancels = async (definition: Omit<WorkflowDefinition, 'name' | 'servers'>, stopsOnCall: boolean) => {
    const stop = new AbortController();
    const server = scriptedServer(tools());
    const heard: JsonObject[] = [];
    const silent: Launch = (program) => {
      const child = server.launch(program);
      const stdin = new PassThrough();
      stdin.on('data', (chunk: Buffer) => {
        const [message = {}] = messagesIn(String(chunk));
        heard.push(message);
        if (!String(chunk).includes('"lost"')) child.stdin.write(chunk);
        else if (stopsOnCall) stop.abort();
      });
      stdin.on('end', () => child.stdin.end());
      return { ...child, stdin };
    };
    await run(definition, { signal: stop.signal, launch: silent });
    const lost = heard.find((message) => JSON.stringify(message).includes('"lost"'));
    const after = heard.slice(heard.indexOf(lost ?? {}) + 1);
    return { id: lost?.['id'], after: after.map(({ method, params }) => ({ method, params })) };
  };

  test.each([
    ['that is cancelled', { steps: [echo('lost')] }, true],
    ['whose step takes too long', { steps: [{ ...echo('lost'), timeoutMs: 50 }] }, false],
    [
      'whose step in code is cancelled',
      {
        steps: [
          { name: 'code', run: async ({ call }: StepTools) => void (await call('one', 'echo', { text: 'lost' })) },
        ],
      },
      true,
    ],
  ])('%s tells the server that it no longer waits', async (_name, definition, stopsOnCall) => {
    const { id, after } = await cancels(definition, stopsOnCall);
    expect(id).toBeTypeOf('number');
    expect(after).toEqual([
      { method: 'notifications/cancelled', params: expect.objectContaining({ requestId: id }) as unknown },
    ]);
  });

  test('shows no secret in the names of its steps, its cells and itself', async () => {
    const matrix = { servers: { two: [{ name: 'with s3cret-value', command: ['two'] }] } };
    const steps = [{ ...echo('x'), name: 'log in with s3cret-value' }];
    const told: string[] = [];
    const { report } = await run({ matrix, steps }, { onResult: (result) => void told.push(JSON.stringify(result)) });
    expect(report.results[0]?.title).toBe('log in with [secret]');
    expect(JSON.stringify(report) + told.join('')).not.toContain('s3cret-value');
  });

  test('runs no cell after it was cancelled', async () => {
    const { report, called } = await run({ steps: [echo('x')] }, { signal: AbortSignal.abort() });
    expect([report.results, called, report.outcome]).toEqual([[], [], 'not-examined']);
  });

  test('fails at the step whose server cannot be started', async () => {
    const { verdicts } = await run(
      { steps: [echo('x'), echo('y')] },
      {
        launch: () => {
          throw new Error('no such program');
        },
      },
    );
    expect(verdicts).toEqual(['STEP-01 fail', 'STEP-02 not-verified']);
  });
});
