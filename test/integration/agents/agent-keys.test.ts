/// <reference lib="esnext.disposable" />
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AgentModel } from '@plugboard/contract';
import { llmDouble, type LlmDouble } from '@plugboard/testing/llm';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type CliPorts, runCli } from '../../../packages/plugboard/src/cli/run-cli.js';
import { composeHub } from '../../../packages/plugboard/src/compose/compose-hub.js';
import { openHub } from '../../../packages/plugboard/src/hub-api/connect/open-hub.js';
import { fakeProcess } from '../../../packages/plugboard/src/test-support/fake-process.js';
import { hubCall, hubCallWith } from '../../support/hub-call.js';
import { type RealHub, startRealHub } from '../../support/real-hub.js';
import { DOUBLE_MODELS, doubleUrl, PROVIDER_VARIABLES, sumServer } from '../../support/scripted-task.js';

type Provider = AgentModel['provider'];
const KINDS = Object.keys(DOUBLE_MODELS) as Provider[];

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };
const ports: CliPorts = {
  openHub: (process, url, settings) =>
    openHub({ process, url, settings, compose: (resolved) => composeHub(resolved, quiet) }),
};

let hub: RealHub;
beforeAll(async () => {
  hub = await startRealHub();
  return () => hub.close();
});

/** An agent whose variables have the key of the provider; nothing else has it. */
const agentFor = async (kind: Provider, double: LlmDouble): Promise<string> => {
  const name = `${kind}-${String(double.url.split(':').at(-1))}`;
  const { status } = await hubCall(hub.url, 'POST', '/v1/agents', {
    name,
    variables: PROVIDER_VARIABLES[kind],
    model: {
      provider: kind,
      name: DOUBLE_MODELS[kind],
      base_url: doubleUrl(double, kind),
      instructions: 'Be brief.',
    },
  });
  expect(status).toBe(200);
  return name;
};

/** A command without any key in its environment but that of the hub. */
const cli = async (argv: readonly string[], cwd?: string) => {
  const env = { PLUGBOARD_HUB_URL: hub.url, PLUGBOARD_API_KEY: hub.key, PATH: process.env['PATH'] ?? '' };
  const fake = fakeProcess(argv, { env, ...(cwd === undefined ? {} : { cwd }) });
  const code = await runCli(fake, ports);
  return { code, ...fake.written };
};

describe.each(KINDS)('the key that the hub keeps for an agent with a model of %s', (kind) => {
  test('is used by `plugboard eval --agent`', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'plugboard-eval-'));
    onTestFinished(() => rm(directory, { recursive: true, force: true }));
    const { server_url: url } = await sumServer();
    const cases = [{ name: 'Adds', prompt: 'What is 2 + 3?', expect: [{ tool: 'add', arguments: { a: 2, b: 3 } }] }];
    await writeFile(join(directory, 'sum.json'), JSON.stringify({ name: 'sum', servers: { sum: { url } }, cases }));
    await using double = await llmDouble();
    double.always({ toolCalls: [{ name: 'add', arguments: { a: 2, b: 3 } }] });
    const { code, stderr } = await cli(['eval', 'sum.json', '--agent', await agentFor(kind, double)], directory);
    expect({ code, stderr, refusals: double.refusals }).toMatchObject({ code: 0, refusals: [] });
    expect(double.requests).toHaveLength(1);
    expect(JSON.stringify(double.requests[0]?.body)).toContain('Be brief.');
  });

  test('is used by `plugboard check llm --agent`, and a wrong key of the check is passed on', async () => {
    await using double = await llmDouble();
    double.always({ text: 'pong' });
    const { stdout, stderr } = await cli(['check', 'llm', '--agent', await agentFor(kind, double), '--json']);
    expect({ stderr, isEmpty: stdout === '' }).toMatchObject({ isEmpty: false });
    const { results } = JSON.parse(stdout) as { results: readonly { id: string; verdict: string }[] };
    const verdicts = Object.fromEntries(results.map(({ id, verdict }) => [id, verdict]));
    expect(verdicts).toMatchObject({
      'LLM-02': 'pass',
      'LLM-03': 'pass',
      'LLM-11': 'pass',
      'LLM-12': 'pass',
      'LLM-40': 'pass',
      'LLM-41': 'pass',
    });
    for (const secret of Object.values(PROVIDER_VARIABLES[kind]).filter((one) => one.includes('double'))) {
      expect(stdout + stderr).not.toContain(secret);
    }
  });
});

describe('a request to the provider of an agent', () => {
  const request = { method: 'POST', path: '/chat/completions', body: '{}' };
  const pathOf = (agent: string): string => `/v1/agents/${agent}/model-request`;

  test.each(['/../admin', '/v1/organization/api_keys', '/models/..', '//evil.example/v1', '/chat/completions?x=1'])(
    'for the path %s is refused',
    async (path) => {
      await using double = await llmDouble();
      const agent = await agentFor('openai', double);
      const { status, json } = await hubCall(hub.url, 'POST', pathOf(agent), { ...request, path });
      expect([status, json]).toMatchObject([400, { error: { code: 'INVALID_ARGUMENT' } }]);
      expect(double.requests).toEqual([]);
    },
  );

  test('is not for agents, and keys of the hub are not passed on', async () => {
    await using double = await llmDouble();
    double.always({ text: 'Yes.' });
    const name = await agentFor('openai', double);
    const { json } = await hubCall(hub.url, 'GET', `/v1/agents/${name}`);
    const made = await hubCall(hub.url, 'POST', '/v1/keys', {
      name,
      role: 'agent',
      agent_id: (json as { id: string }).id,
    });
    const { key } = made.json as { key: string };
    expect(await hubCallWith(hub.url, key)('POST', pathOf(name), request)).toMatchObject({ status: 403 });
    const messages = [{ role: 'user', content: 'Hi' }];
    const body = JSON.stringify({ model: 'gpt-double', messages });
    const headers = { 'content-type': 'application/json', cookie: 'a=b', 'x-forwarded-for': '10.0.0.1' };
    const answer = await hubCall(hub.url, 'POST', pathOf(name), { ...request, headers, body });
    expect(answer).toMatchObject({ status: 200, json: { object: 'chat.completion' } });
    const sent = JSON.stringify(double.requests[0]?.headers);
    for (const private_ of [hub.key, 'cookie', 'forwarded']) expect(sent).not.toContain(private_);
  });

  test('that nobody answers is MODEL_UNREACHABLE, and the check says that nothing is there', async () => {
    const double = await llmDouble();
    const agent = await agentFor('openai', double);
    await double.close();
    expect(await hubCall(hub.url, 'POST', pathOf(agent), request)).toMatchObject({
      json: { error: { code: 'MODEL_UNREACHABLE' } },
    });
    expect((await cli(['check', 'llm', '--agent', agent])).code).toBe(4);
  });
});

test.each([
  [['check', 'llm', 'openai', '--agent', 'x'], 'Both an endpoint and --agent'],
  [['check', 'llm', 'openai'], 'no model was given'],
  [['check', 'llm', '--agent', 'nobody'], 'There is no agent'],
])('%j names what is wrong', async (argv, words) => {
  expect(await cli(argv)).toMatchObject({ stdout: '', stderr: expect.stringContaining(words) as string });
});
