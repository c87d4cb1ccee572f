import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { fakeServer, type FakeTool } from '@plugboard/testing';
import { DOUBLE_KEY, llmDouble, type LlmDouble } from '@plugboard/testing/llm';
import { expect, onTestFinished, test } from 'vitest';
import { composeHub } from '../../../packages/plugboard/src/compose/compose-hub.js';
import { openHub } from '../../../packages/plugboard/src/hub-api/connect/open-hub.js';
import { runCli, type CliPorts } from '../../../packages/plugboard/src/cli/run-cli.js';
import { fakeProcess, type FakeProcessOptions } from '../../../packages/plugboard/src/test-support/fake-process.js';
import { hubCall } from '../../support/hub-call.js';
import { type RealHub, startRealHub } from '../../support/real-hub.js';

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };
const ports: CliPorts = {
  openHub: (process, url, settings) =>
    openHub({ process, url, settings, compose: (resolved) => composeHub(resolved, quiet) }),
};

interface Rig {
  readonly hub: RealHub;
  readonly double: LlmDouble;
  readonly chat: (
    argv: readonly string[],
    options?: FakeProcessOptions,
  ) => Promise<{ code: number; stdout: string; stderr: string }>;
}

/** A hub with two servers, a double of the providers, and `plugboard chat` on both. */
const openRig = async (...more: readonly FakeTool[]): Promise<Rig> => {
  const hub = await startRealHub();
  onTestFinished(() => hub.close());
  const double = await llmDouble();
  onTestFinished(() => double.close());
  const server = fakeServer({ tools: ['add', { name: 'erase', handler: () => 'erased' }, ...more] });
  onTestFinished(() => server.close());
  const config = { mcp_server_type: 'streamable_http', server_url: (await server.listenHttp()).url };
  const { json } = await hubCall(hub.url, 'POST', '/v1/mcp-servers', { server_name: 'tools', config });
  const entries = [{ server_id: (json as { id: string }).id, upstream_name: 'add' }];
  await hubCall(hub.url, 'POST', '/v1/toolsets', { name: 'sums', entries });
  const chat: Rig['chat'] = async (argv, options = {}) => {
    const env = { PLUGBOARD_HUB_URL: hub.url, PLUGBOARD_API_KEY: hub.key, OPENAI_API_KEY: DOUBLE_KEY };
    const flags = argv.includes('--agent') ? [] : ['--model', 'openai:gpt-double', '--base-url', double.openaiUrl];
    const fake = fakeProcess(['chat', ...flags, ...argv], {
      ...(options.typed === undefined ? { stdin: '' } : {}),
      ...options,
      env: { ...env, ...options.env },
    });
    return { code: await runCli(fake, ports), ...fake.written };
  };
  return { hub, double, chat };
};

const sum = { text: 'Let me see.', toolCalls: [{ name: 'add', arguments: { a: 1, b: 2 } }] };
const erase = { toolCalls: [{ name: 'erase', arguments: {} }] };

test('one question: the answer on stdout, the tools on stderr', async () => {
  const { double, chat } = await openRig();
  double.next(sum, ({ toolResults }) => ({ text: `It is ${toolResults.join()}.` }));
  const { code, stdout, stderr } = await chat(['--instructions', 'Be brief.', 'What', 'is 1 + 2?']);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^Let me see\.\nIt is 3/u);
  expect(stderr).toContain('openai:gpt-double with 2 tools.');
  expect(stderr).toContain('→ tools/add {"a":1,"b":2}');
  expect(stderr).toContain('✓ add 3');
  expect(JSON.stringify(double.requests[0]?.body)).toMatch(/Be brief.*What is 1 \+ 2\?/u);
});

test('a toolset narrows the tools, standard input asks, and --json prints the run', async () => {
  const { double, chat } = await openRig();
  const folder = await mkdtemp(join(tmpdir(), 'plugboard-chat-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  double.next({ text: 'Hello.' });
  const transcript = join(folder, 'chat.md');
  const { code, stdout, stderr } = await chat(['--toolset', 'sums', '--json', '--transcript', transcript], {
    stdin: 'Who are you?\n',
  });
  expect([code, stderr]).toEqual([0, '']);
  expect(JSON.parse(stdout)).toMatchObject({ end: 'finished', text: 'Hello.', turns: 1 });
  expect(double.requests[0]?.tools.map(({ name }) => name)).toEqual(['tools__add']);
  expect(await readFile(transcript, 'utf8')).toContain('## User\n\nWho are you?');
});

test('without a terminal, destructive tools are not called unless --yes is given', async () => {
  const { double, chat } = await openRig();
  double.next(erase, { text: 'I could not.' });
  expect((await chat(['Erase it.'])).stderr).toContain('did not allow the call of erase');
  double.next(erase, { text: 'Done.' });
  expect((await chat(['--yes', 'Erase it.'])).stderr).toContain('✓ erase erased');
});

test('at a terminal: what was typed ahead does not answer the question before a destructive call', async () => {
  const { double, chat } = await openRig();
  double.next(erase, { text: 'I was not allowed to.' });
  const typed = new PassThrough();
  typed.end('Erase it.\ny\nyes\nalways\n');
  const { code, stdout } = await chat([], { typed, columns: 80 });
  expect(code).toBe(0);
  expect(stdout).toContain('I was not allowed to.');
  expect(JSON.stringify(double.requests[1]?.body)).toContain('did not allow');
});

test('an agent of the hub answers with the key that the hub keeps, and asks before destructive calls', async () => {
  const { hub, double, chat } = await openRig();
  const servers = (await hubCall(hub.url, 'GET', '/v1/mcp-servers')).json as readonly { id: string }[];
  await hubCall(hub.url, 'POST', '/v1/agents', {
    name: 'helper',
    server_ids: servers.map(({ id }) => id),
    variables: { OPENAI_API_KEY: DOUBLE_KEY },
    model: { provider: 'openai', name: 'gpt-double', base_url: double.openaiUrl },
  });
  const agent = (argv: readonly string[]) => chat(['--agent', 'helper', ...argv], { env: { OPENAI_API_KEY: '' } });
  double.next(sum, erase, { text: 'I may not.' });
  const refused = await agent(['Add, and erase.']);
  expect([refused.code, refused.stdout]).toEqual([0, 'Let me see.\nI may not.\n']);
  expect(refused.stderr).toContain('✓ add 3');
  expect(refused.stderr).toContain('did not allow the call of erase');
  double.next(erase, { text: 'Done.' });
  expect((await agent(['--yes', 'Erase it.'])).stderr).toContain('✓ erase erased');
  double.next({ fault: { status: 401 } });
  expect((await agent(['Hi'])).stderr).toContain('rejects the key');
});

/** Asks the model for a title, and the user for a city. */
const report: FakeTool = {
  name: 'report',
  annotations: { readOnlyHint: true },
  handler: async (_args, call) => {
    const { content } = await call.sample({
      messages: [{ role: 'user', content: { type: 'text', text: 'A title, please.' } }],
      maxTokens: 20,
    });
    const form = await call.elicit({
      message: 'For which city?',
      requestedSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    });
    return JSON.stringify([(content as { text?: unknown }).text, form['content']]);
  },
};

test('at a terminal: a server asks the model and the user back, with consent', async () => {
  const { double, chat } = await openRig(report);
  double.next({ toolCalls: [{ name: 'report', arguments: {} }] }, { text: 'A fine year' });
  double.next(({ toolResults }) => ({ text: `Got ${toolResults.join()}` }));
  const typed = new PassThrough();
  const asked = new PassThrough();
  const replies = [
    ['Let the model answer tools?', 'y'],
    ['Answer tools?', 'y'],
    ['city', 'Oslo'],
  ] as const;
  let next = 0;
  asked.on('data', (chunk) => {
    const [question, reply] = replies[next] ?? ['', ''];
    if (question === '' || !String(chunk).includes(question)) return;
    next += 1;
    setImmediate(() => typed.write(`${reply}\n${next === replies.length ? '/exit\n' : ''}`));
  });
  typed.write('Write the report.\n');
  const { code, stdout, stderr } = await chat([], { typed, asked, columns: 80 });
  expect([code, stdout]).toEqual([0, 'Got ["A fine year",{"city":"Oslo"}]\n']);
  expect(stderr).toContain('tools asks the model: A title, please.');
  expect(double.refusals).toEqual([]);
});

test.each([
  ['a model without a provider', ['--model', 'gpt-double', 'Hi'], {}, 2, /is not a provider and a model/u],
  ['no question', [], {}, 2, /Nothing was asked/u],
  ['a wrong key', ['Hi'], { OPENAI_API_KEY: 'sk-wrong-key' }, 5, /rejects the key/u],
] as const)('%s', async (_, argv, env, exit, text) => {
  const { chat } = await openRig();
  const { code, stderr } = await chat(argv, { env });
  expect(code).toBe(exit);
  expect(stderr).toMatch(text);
  expect(stderr).not.toContain('sk-wrong-key');
});

test('a limit that is reached is an error of the command', async () => {
  const { double, chat } = await openRig();
  double.always(sum);
  const { code, stderr } = await chat(['--max-turns', '2', 'Go on.']);
  expect(code).toBe(1);
  expect(stderr).toContain('The limit of turns is reached.');
});
