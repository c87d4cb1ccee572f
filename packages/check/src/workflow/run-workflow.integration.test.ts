import { fakeServer, fakeServerCommand, type FakeServer } from '@plugboard/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { examinationExit } from '../outcome/report-of.js';
import { runWorkflow, type WorkflowOptions } from './run-workflow.js';
import { defineWorkflow, type WorkflowDefinition } from './workflow.js';

let server: FakeServer;
let url = '';

beforeEach(async () => {
  server = fakeServer({ tools: ['echo', 'counter'], eras: 'both' });
  url = (await server.listenHttp()).url;
});
afterEach(() => server.close());

const { command, args } = fakeServerCommand({ tools: ['echo'], eras: 'both' });

const run = (definition: Omit<WorkflowDefinition, 'name' | 'servers'>, options: Partial<WorkflowOptions> = {}) =>
  runWorkflow(
    defineWorkflow({
      name: 'flow',
      servers: {
        http: { url, headers: { Authorization: 'Bearer s3cret-token' } },
        stdio: { command: [command, ...args] },
      },
      ...definition,
    }),
    { version: '1.0.0', baseEnv: { PATH: process.env['PATH'] ?? '' }, ...options },
  );

const verdicts = ({ results }: Awaited<ReturnType<typeof run>>) => results.map(({ id, verdict }) => `${id} ${verdict}`);

const echo = (name: string, text: string, on = 'http') => ({ name, server: on, tool: 'echo', arguments: { text } });

describe('a workflow', () => {
  test('passes values from one server to another, over several transports and eras', async () => {
    const report = await run({
      matrix: { era: ['legacy', 'modern'], servers: { http: [{ url }, { command: [command, ...args] }] } },
      steps: [
        { ...echo('first', 'hello'), capture: { said: 'content[0].text' } },
        { ...echo('second', '${said} again', 'stdio'), expect: [{ path: 'content[0].text', contains: 'hello again' }] },
      ],
    });
    expect(report.results.filter(({ verdict }) => verdict !== 'pass')).toEqual([]);
    expect(report.results).toHaveLength(8);
    expect(new Set(report.results.map(({ era, transport }) => `${era} ${transport}`))).toEqual(
      new Set(['legacy streamable-http', 'legacy stdio', 'modern streamable-http', 'modern stdio']),
    );
    expect([report.outcome, examinationExit(report)]).toEqual(['passed', 0]);
  });

  test('stops at the first failure, and runs the whole teardown', async () => {
    const report = await run({
      steps: [{ ...echo('wrong', 'a'), expect: [{ path: 'content[0].text', equals: 'b' }] }, echo('not reached', 'c')],
      teardown: [
        echo('needs what was not captured', '${nothing}'),
        { name: 'fails', server: 'http', tool: 'no_such_tool' },
        echo('still runs', 'd'),
      ],
    });
    expect(verdicts(report)).toEqual([
      'STEP-01 fail',
      'STEP-02 not-verified',
      'TEARDOWN-01 not-applicable',
      'TEARDOWN-02 fail',
      'TEARDOWN-03 pass',
    ]);
    expect(report.results[0]?.detail).toContain('content[0].text is');
    expect(examinationExit(report)).toBe(1);
    expect(server.log.entries.filter(({ method }) => method === 'tools/call')).toHaveLength(3);
  });

  test('repeats a step until it holds, and not for ever', async () => {
    const count = { name: 'count', server: 'http', tool: 'counter' };
    const holds = {
      ...count,
      retry: { attempts: 5, delayMs: 1 },
      expect: [{ path: 'content[0].text | number', greaterThan: 2 }],
    };
    const never = { ...count, retry: { attempts: 3, delayMs: 1 }, expect: [{ path: 'content[0].text', equals: 'x' }] };
    const report = await run({ steps: [holds, never] });
    expect(verdicts(report)).toEqual(['STEP-01 pass', 'STEP-02 fail']);
    expect(report.results.map(({ detail }) => detail)).toEqual([
      'after 3 attempts',
      expect.stringContaining('(3 attempts)'),
    ]);
  });

  test('can demand that a call fails', async () => {
    const report = await run({
      steps: [
        { name: 'refused', server: 'http', tool: 'no_such_tool', expectError: true },
        { ...echo('accepted', 'x'), expectError: true },
      ],
    });
    expect(verdicts(report)).toEqual(['STEP-01 pass', 'STEP-02 fail']);
  });

  test('may have steps in code, whose results are variables', async () => {
    const report = await run({
      steps: [
        {
          name: 'code',
          run: async ({ call }) => ({ answer: (await call('stdio', 'echo', { text: 'from code' }))['content'] }),
        },
        { ...echo('uses it', '${answer[0].text}'), expect: [{ path: 'content[0].text', contains: 'from code' }] },
        { name: 'throws', run: () => Promise.reject(new Error('not today')) },
      ],
    });
    expect(verdicts(report)).toEqual(['STEP-01 pass', 'STEP-02 pass', 'STEP-03 fail']);
    expect(report.results[2]?.detail).toBe('not today');
  });

  test('shows no secret, and survives a server that is not there', async () => {
    const echoed = await run({
      steps: [{ ...echo('leak', 's3cret-token'), expect: [{ path: 'isError', equals: true }] }],
    });
    expect(JSON.stringify(echoed)).not.toContain('s3cret-token');
    const gone = await run(
      { steps: [echo('gone', 'x', 'stdio')] },
      {
        launch: () => {
          throw new Error('no such program');
        },
      },
    );
    expect(verdicts(gone)).toEqual(['STEP-01 fail']);
  });

  test('that is cancelled still runs its teardown', async () => {
    const stop = new AbortController();
    const report = await run(
      {
        steps: [{ name: 'stops', run: async () => stop.abort() }, echo('never', 'x')],
        teardown: [echo('clean up', 'bye')],
      },
      { signal: stop.signal },
    );
    expect(report.outcome).toBe('not-examined');
    expect(verdicts(report).at(-1)).toBe('TEARDOWN-01 pass');
  });

  test.each(['legacy', 'modern'] as const)(
    'that is cancelled ends the call on the server in the %s era',
    async (era) => {
      const stop = new AbortController();
      let ended = (): void => undefined;
      const cancelled = new Promise<void>((resolve) => {
        ended = resolve;
      });
      server.setTools([
        'echo',
        {
          name: 'wait',
          inputSchema: { type: 'object' },
          handler: (_args, call) =>
            new Promise((_resolve, reject) => {
              call.signal.addEventListener('abort', () => {
                ended();
                reject(new Error('cancelled'));
              });
              stop.abort();
            }),
        },
      ]);
      const report = await run(
        {
          matrix: { era: [era] },
          steps: [{ name: 'waits', server: 'http', tool: 'wait' }],
          teardown: [echo('bye', 'x')],
        },
        { signal: stop.signal },
      );
      await cancelled;
      const notices = server.log.of('notifications/cancelled').length;
      expect([report.outcome, notices]).toEqual(['not-examined', era === 'legacy' ? 1 : 0]);
    },
  );
});
