import { type AgentModel, type KeptAgent, PlugboardError, type Role, Secret } from '@plugboard/contract';
import type { AgentQuestion } from '@plugboard/registry';
import { DOUBLE_CREDENTIALS, DOUBLE_KEY, MemoryLlm } from '@plugboard/testing/llm';
import { describe, expect, it } from 'vitest';
import { AgentCircuits } from './agent-circuits.js';
import { HubAgentModels } from './hub-agent-models.js';
import { PendingApprovals } from './pending-approvals.js';
import { RunLimits } from './run-limits.js';

const openAiModel = (baseUrl: string): AgentModel => ({
  provider: 'openai',
  name: 'gpt-double',
  base_url: baseUrl,
  instructions: 'Be brief.',
  fallback: 'o-double',
});

const openRig = (changes: Partial<KeptAgent> = {}, double = new MemoryLlm(), toolCount = 1) => {
  const agent: KeptAgent = {
    id: 'agent-00000000-0000-4000-8000-000000000001',
    name: 'helper',
    description: null,
    variables: { OPENAI_API_KEY: Secret.of(DOUBLE_KEY) },
    server_ids: [],
    toolset_ids: [],
    allow_tool_ids: [],
    deny_tool_ids: [],
    model: openAiModel(double.openaiUrl),
    created_at: '2026-11-01T00:00:00.000Z',
    updated_at: '2026-11-01T00:00:00.000Z',
    ...changes,
  };
  const called: string[] = [];
  const approvals = new PendingApprovals();
  const models = new HubAgentModels({
    askAs: () => async (method, segments, body) => {
      const path = segments.join('/');
      called.push(`${method} ${path}`);
      if (path === 'servers') return { sum: {}, other_name: { alias_of: 'sum' } };
      if (method === 'POST') return { content: [{ type: 'text', text: `called with ${JSON.stringify(body)}` }] };
      const name = path.startsWith('toolsets') ? 'multiply' : 'add';
      const inputSchema = { type: 'object', properties: {} };
      return Array.from({ length: toolCount }, (_, at) => ({ name: at === 0 ? name : `${name}_${at}`, inputSchema }));
    },
    toolsetsOf: () => ['products'],
    variablesOf:
      ({ variables }) =>
      (name) =>
        variables[name],
    fetch: double.fetch,
    checkUrl: (url) => {
      if (url.includes('metadata')) throw new PlugboardError('URL_REFUSED', 'No.');
    },
    runs: new RunLimits({ perCaller: 1 }),
    circuits: new AgentCircuits(),
    approvals,
  });
  const ask = (
    body: object,
    api: AgentQuestion['api'] = 'chat',
    signal = new AbortController().signal,
    role: Role = 'admin',
  ) =>
    models.answer({
      api,
      body: { model: 'helper', ...body },
      principal: { id: 'p', role },
      signal,
      agentOf: async () => agent,
    });
  return { double, called, ask, approvals };
};

const messages = [
  { role: 'system', content: 'Hurry.' },
  { role: 'user', content: 'What is 1 + 1?' },
];
const sum = {
  toolCalls: [
    { name: 'add', arguments: {} },
    { name: 'multiply', arguments: {} },
  ],
};

describe('an agent of the hub', () => {
  it('answers with the tools of its servers and toolsets', async () => {
    const { double, called, ask } = openRig();
    double.next(sum, ({ toolResults }) => ({ text: toolResults.join(' and ') }));
    const answer = await ask({ messages });
    expect(await answer.json()).toMatchObject({
      object: 'chat.completion',
      model: 'helper',
      choices: [{ message: { content: 'called with {} and called with {}' } }],
    });
    expect(called.toSorted()).toEqual([
      'GET servers',
      'GET servers/sum/tools',
      'GET toolsets/products/tools',
      'POST servers/sum/tools/add',
      'POST toolsets/products/tools/multiply',
    ]);
    expect(JSON.stringify(double.requests[0]?.body)).toContain('Be brief.\\n\\nHurry.');
  });

  it('has a thousand tools at most', async () => {
    const { double, ask } = openRig({}, undefined, 501);
    await expect(ask({ messages })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: 'The agent "helper" has 1002 tools. A model is given 1000 at most.',
    });
    expect(double.requests).toEqual([]);
  });

  it('streams, in both words', async () => {
    const { double, ask } = openRig();
    double.always({ text: 'Two.' });
    const chat = await (await ask({ messages, stream: true })).text();
    expect(chat).toContain('"finish_reason":"stop"');
    expect(chat.endsWith('data: [DONE]\n\n')).toBe(true);
    expect(await (await ask({ input: 'Hi', stream: true }, 'responses')).text()).toContain('event: response.completed');
    expect(await (await ask({ input: 'Hi' }, 'responses')).json()).toMatchObject({ output_text: 'Two.' });
  });
});

/** Reads a stream chunk by chunk, and tells about the events of the agent in it. */
const readEvents = async (
  answer: Response,
  onEvent: (event: Readonly<Record<string, unknown>>, completionId: string) => void = () => undefined,
): Promise<readonly string[]> => {
  const types: string[] = [];
  const decoder = new TextDecoder();
  for await (const bytes of answer.body ?? []) {
    for (const line of decoder.decode(bytes).split('\n')) {
      if (!line.startsWith('data: {')) continue;
      const { id, plugboard } = JSON.parse(line.slice(6)) as { id: string; plugboard?: { type: string } };
      if (plugboard === undefined) continue;
      types.push(plugboard.type);
      onEvent({ ...plugboard }, id);
    }
  }
  return types;
};

describe('calls that the client decides about', () => {
  const wish = { messages, stream: true, plugboard: { events: true, approvals: true } };

  it.each([
    [true, 'POST servers/sum/tools/add'],
    [false, undefined],
  ])('are made after a yes only: %s', async (approve, made) => {
    const { double, called, ask, approvals } = openRig();
    double.next({ toolCalls: [{ name: 'add', arguments: {} }] }, { text: 'Done.' });
    const results: unknown[] = [];
    const types = await readEvents(await ask(wish), (event, completionId) => {
      if (event['type'] === 'tool-result') results.push(event);
      if (event['type'] !== 'approval') return;
      expect(called.some((path) => path.startsWith('POST'))).toBe(false);
      const callId = String(event['id']);
      // The wait begins after the event was sent.
      setImmediate(() => approvals.decide({ completionId, callId, approve, principal: { id: 'p', role: 'admin' } }));
    });
    expect(types).toEqual(['turn', 'tool-call', 'approval', 'tool-result', 'turn', 'done']);
    expect(called.find((path) => path.startsWith('POST'))).toBe(made);
    expect(results).toMatchObject([{ isError: !approve, durationMs: expect.any(Number) as number }]);
  });

  it('are refused without a question to an agent when the operator forbids them', async () => {
    const double = new MemoryLlm();
    const { called, ask } = openRig({ model: { ...openAiModel(double.openaiUrl), approval: 'destructive' } }, double);
    double.next({ toolCalls: [{ name: 'add', arguments: {} }] }, { text: 'Done.' });
    const types = await readEvents(await ask(wish, 'chat', new AbortController().signal, 'agent'), () => undefined);
    expect(types).toEqual(['turn', 'tool-call', 'tool-result', 'turn', 'done']);
    expect(called.some((path) => path.startsWith('POST'))).toBe(false);
  });

  it('need a stream with events', async () => {
    await expect(openRig().ask({ messages, plugboard: { approvals: true } })).rejects.toThrow('cannot ask anyone');
  });
});

describe('a toolset of the agent', () => {
  it('is all that the agent has for this answer', async () => {
    const { double, called, ask } = openRig();
    double.next({ text: 'Hello.' });
    await ask({ messages, plugboard: { toolset: 'products' } });
    expect(called).toEqual(['GET toolsets/products/tools']);
  });

  it('must be granted to it', async () => {
    const { called, ask } = openRig();
    await expect(ask({ messages, plugboard: { toolset: 'secrets' } })).rejects.toThrow('has no toolset "secrets"');
    expect(called).toEqual([]);
  });
});

describe('a provider that keeps failing', () => {
  it('is not asked for a while, by later questions either; the fallback is', async () => {
    const { double, ask } = openRig();
    // The limit of a minute, so that no attempt waits.
    const busy = { fault: { status: 429, headers: { 'retry-after': '60' } } };
    double.always(({ model }) => (model === 'o-double' ? { text: 'Two.' } : busy));
    for (let question = 0; question < 5; question += 1) expect((await ask({ messages })).status).toBe(200);
    expect(double.requests.filter(({ model }) => model === 'gpt-double')).toHaveLength(5);
    expect((await ask({ messages })).status).toBe(200);
    expect(double.requests.filter(({ model }) => model === 'gpt-double')).toHaveLength(5);
    expect(double.requests.filter(({ model }) => model === 'o-double')).toHaveLength(6);
  });

  it('is named, with the time to wait, when there is no fallback', async () => {
    const double = new MemoryLlm();
    const { ask } = openRig({ model: { provider: 'openai', name: 'gpt-double', base_url: double.openaiUrl } }, double);
    double.always({ fault: { status: 429, headers: { 'retry-after': '60' } } });
    for (let question = 0; question < 5; question += 1) {
      await expect(ask({ messages })).rejects.toMatchObject({ code: 'MODEL_RATE_LIMITED' });
    }
    await expect(ask({ messages })).rejects.toMatchObject({
      code: 'CIRCUIT_OPEN',
      message: 'The provider openai failed repeatedly, so it is not asked for a while.',
      retryAfterMs: expect.any(Number) as number,
    });
  });
});

describe('a model of Bedrock', () => {
  it('is asked through the fetch of the hub, with what the agent has', async () => {
    const double = new MemoryLlm();
    const { region, accessKeyId, secretAccessKey } = DOUBLE_CREDENTIALS;
    const { ask } = openRig(
      {
        model: { provider: 'bedrock', name: 'anthropic.claude-double-v1:0', base_url: double.url },
        variables: {
          AWS_REGION: Secret.of(region),
          AWS_ACCESS_KEY_ID: Secret.of(accessKeyId),
          AWS_SECRET_ACCESS_KEY: Secret.of(secretAccessKey),
        },
      },
      double,
    );
    double.next({ toolCalls: [{ name: 'add', arguments: {} }] }, { text: 'Two.' });
    expect(JSON.stringify(await (await ask({ messages })).json())).toContain('Two.');
    double.next({ text: 'Three.' });
    expect(await (await ask({ messages, stream: true })).text()).toContain('Three.');
    expect(double.refusals).toEqual([]);
  });
});

describe('what goes wrong', () => {
  it.each([[{}], [{ stream: true }]])(
    'failures of the provider are thrown before anything is sent (%j)',
    async (more) => {
      const { double, ask } = openRig();
      double.always({ fault: { status: 401 } });
      await expect(ask({ messages, ...more })).rejects.toMatchObject({ code: 'MODEL_AUTH' });
    },
  );

  it('an agent without a model or a key, and an address that is not allowed', async () => {
    await expect(openRig({ model: null }).ask({ messages })).rejects.toThrow('has no model');
    const keyless = openRig({ variables: {}, model: { provider: 'openai', name: 'gpt' } });
    await expect(keyless.ask({ messages })).rejects.toMatchObject({ code: 'UNRESOLVED_VARIABLES' });
    const stranger = openRig({ model: openAiModel('http://metadata/v1') });
    await expect(stranger.ask({ messages })).rejects.toMatchObject({ code: 'URL_REFUSED' });
  });

  it('a request that is cancelled ends', async () => {
    const { double, ask } = openRig();
    double.always({ fault: 'hang' });
    const controller = new AbortController();
    const answer = ask({ messages }, 'chat', controller.signal);
    controller.abort(new Error('the client left'));
    await expect(answer).rejects.toThrow('the client left');
  });

  it.each([[{}], [{ stream: true }]])('more runs than a caller may have, until one ends (%j)', async (more) => {
    const { double, ask } = openRig();
    const arrived = new Promise<void>((resolve) => {
      double.always(() => {
        resolve();
        return { fault: 'hang' };
      });
    });
    const controller = new AbortController();
    const held = ask({ messages, ...more }, 'chat', controller.signal);
    await arrived;
    await expect(ask({ messages, ...more })).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    controller.abort(new Error('the client left'));
    await expect(held).rejects.toThrow('the client left');
    double.always({ text: 'Two.' });
    for (const _turn of [1, 2, 3]) expect(await (await ask({ messages, ...more })).text()).toContain('Two.');
    double.always({ fault: { status: 401 } });
    for (const _turn of [1, 2]) await expect(ask({ messages, ...more })).rejects.toMatchObject({ code: 'MODEL_AUTH' });
  });
});
