import type { StreamPiece } from '@plugboard/testing/llm';
import { describe, expect, test } from 'vitest';
import { callsOf, userText } from '../conversation/message.js';
import { createInMemory, serve } from '../test-support/memory-agent.js';
import { APIS, settingOf } from '../test-support/memory-providers.js';
import type { AgentTools } from '../tool/agent-tools.js';
import type { AgentEvent, AgentRun } from './agent-event.js';
import { runAgent, type AgentRunOptions } from './run-agent.js';
import { transcript } from './transcript.js';

const add = {
  name: 'add',
  description: 'Adds two numbers.',
  annotations: { readOnlyHint: true },
  inputSchema: {
    type: 'object',
    properties: { a: { type: 'number' }, b: { type: 'number' } },
    required: ['a', 'b'],
  },
  handler: ({ a, b }: Readonly<Record<string, unknown>>) => String(Number(a) + Number(b)),
};

const erase = {
  name: 'erase',
  inputSchema: { type: 'object', properties: {} },
  handler: () => 'erased',
};

const paint = {
  name: 'paint',
  annotations: { readOnlyHint: true },
  inputSchema: { type: 'object', properties: {} },
  result: { content: [{ type: 'image', mimeType: 'image/png', data: 'AAAA' }] },
};

const toolsFor = async (profile: 'openai' | 'anthropic' | 'bedrock' = 'openai'): Promise<AgentTools> => {
  const { url } = await serve([add, erase, paint]);
  const config = { mcp_server_type: 'streamable_http' as const, server_url: url };
  return createInMemory({ name: 'bot', servers: [{ name: 'calculator', config }] }, { provider: profile });
};

const read = async (options: AgentRunOptions): Promise<{ events: readonly AgentEvent[]; run: AgentRun }> => {
  const events: AgentEvent[] = [];
  for await (const event of runAgent(options)) events.push(event);
  const last = events.at(-1);
  if (last?.type !== 'done') throw new Error('The run has no end.');
  return { events, run: last.run };
};

const openAi = () => settingOf('openai-chat');
const sum = (id: string, a: number, b: number) => ({ id, name: 'add', arguments: { a, b } });
const messages = [userText('What is 1 + 2, and 3 + 4?')];

describe.each(APIS)('with %s', (api) => {
  test('calls tools in parallel, reads the results, and answers', async () => {
    const { provider, double, model } = settingOf(api);
    await using tools = await toolsFor(provider.profile as 'openai');
    double.next({ text: 'Let me see.', toolCalls: [sum('x', 1, 2), sum('y', 3, 4)] });
    double.next((request) => ({ text: `They are ${request.toolResults.join(' and ')}.` }));
    const { events, run } = await read({ provider, tools, model, messages, system: 'Calculate.' });
    expect(run).toMatchObject({ end: 'finished', text: 'They are 3 and 7.', turns: 2, toolCalls: 2 });
    expect(run.usage.total).toBeGreaterThan(0);
    expect(run.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant']);
    expect(events.filter(({ type }) => type === 'tool-call')).toMatchObject([
      { id: 'x', name: 'add', server: 'calculator', arguments: '{"a":1,"b":2}' },
      { id: 'y' },
    ]);
    const results = events.flatMap((event) => (event.type === 'tool-result' ? `${event.id} is ${event.text}` : []));
    expect(results.toSorted()).toEqual(['x is 3', 'y is 7']);
    expect(events.filter(({ type }) => type === 'done')).toHaveLength(1);
  });
});

test('pictures of a result are in its event, and results without any have none', async () => {
  const { provider, double, model } = openAi();
  await using tools = await toolsFor();
  double.next({ toolCalls: [sum('x', 1, 2), { id: 'p', name: 'paint', arguments: {} }] }, { text: 'Done.' });
  const { events } = await read({ provider, tools, model, messages });
  const media = new Map(events.flatMap((event) => (event.type === 'tool-result' ? [[event.id, event.media]] : [])));
  expect(media.get('p')).toEqual([{ kind: 'image', data: 'AAAA', mimeType: 'image/png' }]);
  expect(media.get('x')).toBeUndefined();
});

describe('what goes wrong is told to the model', () => {
  test.each([
    ['an unknown tool', { name: 'fly', arguments: {} }, /no tool "fly"/u],
    ['arguments that do not fit', { name: 'add', arguments: { a: 'one' } }, /not valid/u],
    ['arguments that were cut off', { name: 'erase', arguments: '{"path": "/da' }, /cut off/u],
  ])('%s', async (_, call, text) => {
    const { provider, double, model } = openAi();
    await using tools = await toolsFor();
    double.next({ toolCalls: [call] }, { text: 'Sorry.' });
    const { events } = await read({ provider, tools, model, messages });
    expect(events.find(({ type }) => type === 'tool-result')).toMatchObject({
      isError: true,
      text: expect.stringMatching(text) as string,
    });
  });

  test('calls without an id, and two with the same', async () => {
    const { provider, double, model } = openAi();
    await using tools = await toolsFor();
    double.next({ toolCalls: [sum('', 1, 1), sum('same', 1, 2), sum('same', 1, 3)] }, { text: 'Done.' });
    const { run } = await read({ provider, tools, model, messages });
    const [, asked, answered] = run.messages;
    const ids = asked?.role === 'assistant' ? callsOf(asked.content).map(({ id }) => id) : [];
    expect(new Set(ids).size).toBe(3);
    expect(answered?.role === 'tool' ? answered.results.map(({ text }) => text) : []).toEqual(['2', '3', '4']);
  });
});

describe('approval', () => {
  const calls = { toolCalls: [sum('x', 1, 2), { id: 'e', name: 'erase', arguments: {} }] };

  test('is asked for what may destroy something, and a no is told to the model', async () => {
    const { provider, double, model } = openAi();
    await using tools = await toolsFor();
    double.next(calls, { text: 'Fine.' });
    const asked: string[] = [];
    const { events } = await read({ provider, tools, model, messages, approve: ({ name }) => asked.push(name) > 1 });
    expect(asked).toEqual(['erase']);
    expect(events.find((event) => event.type === 'tool-result' && event.id === 'e')).toMatchObject({
      isError: true,
      text: 'The user did not allow the call of erase.',
    });
  });

  test('without anybody to ask, a rule refuses; without a rule, everything is called', async () => {
    const { provider, double, model } = openAi();
    await using tools = await toolsFor();
    double.next(calls, { text: 'Fine.' }, calls, { text: 'Fine.' }, calls, { text: 'Fine.' });
    const erased = async (changes: Partial<AgentRunOptions>): Promise<boolean> => {
      const { events } = await read({ provider, tools, model, messages, ...changes });
      return events.some((event) => event.type === 'tool-result' && event.text === 'erased');
    };
    expect(await erased({ approval: 'destructive' })).toBe(false);
    expect(await erased({})).toBe(true);
    expect(await erased({ approval: 'all', approve: () => true })).toBe(true);
  });
});

test('ids of calls are unique in a run, so that one approval cannot be taken for another', async () => {
  const { provider, double, model } = openAi();
  await using tools = await toolsFor();
  const call = (id: string) => ({ id, name: 'erase', arguments: {} });
  const hostile = (...ids: readonly string[]) => ({
    toolCalls: ids.map(call),
    tamperStream: (pieces: readonly StreamPiece[]) =>
      pieces.map((piece) => JSON.parse(JSON.stringify(piece).replaceAll('"none"', '""')) as StreamPiece),
  });
  double.next(hostile('call_1', 'none', 'call_2', 'call_1'), hostile('call_1', 'call_4'), { text: 'Done.' });
  const ids: string[] = [];
  const { events } = await read({
    provider,
    tools,
    model,
    messages,
    approve: (_tool, _args, { id }) => ids.push(id) > 0,
  });
  expect(ids).toHaveLength(6);
  expect(new Set(ids).size).toBe(6);
  const asked = events.flatMap((event) => (event.type === 'approval' ? event.id : []));
  expect(asked.toSorted()).toEqual(ids.toSorted());
});

describe('limits', () => {
  test('hold within a turn: one answer with more calls than are left', async () => {
    const { provider, double, model } = openAi();
    await using tools = await toolsFor();
    const toolCalls = Array.from({ length: 10 }, (_, at) => sum(`c${at}`, at, 0));
    double.always({ toolCalls });
    const { events, run } = await read({ provider, tools, model, messages, maxToolCalls: 3 });
    expect(run).toMatchObject({ end: 'tool-call-limit', toolCalls: 3, turns: 1 });
    const results = events.flatMap((event) => (event.type === 'tool-result' ? event : []));
    expect(results.filter(({ isError }) => !isError).map(({ text }) => text)).toEqual(['0', '1', '2']);
    expect(results.filter(({ text }) => text.includes('limit of tool calls'))).toHaveLength(7);
    expect(run.messages.at(-1)).toMatchObject({ role: 'tool', results: { length: 10 } });
  });

  const endless = { toolCalls: [sum('x', 1, 2)], usage: { input: 60, output: 40 } };

  test.each([
    [{ maxTurns: 3 }, 'turn-limit', 3],
    [{ maxToolCalls: 2 }, 'tool-call-limit', 2],
    [{ maxTotalTokens: 150 }, 'token-limit', 2],
  ] as const)('%j', async (limits, end, turns) => {
    const { provider, double, model } = openAi();
    await using tools = await toolsFor();
    double.always(endless);
    const { run } = await read({ provider, tools, model, messages, ...limits });
    expect(run).toMatchObject({ end, turns });
    expect(run.messages.at(-1)?.role).toBe('tool');
  });

  test('the time', async () => {
    const { provider, double, model } = openAi();
    await using tools = await toolsFor();
    double.always({ fault: 'hang' });
    expect((await read({ provider, tools, model, messages, maxTimeMs: 5 })).run.end).toBe('time-limit');
  });
});

test('cancellation throws the reason', async () => {
  const { provider, double, model } = openAi();
  await using tools = await toolsFor();
  double.always({ text: 'a long text', fault: { everyMs: 1 } });
  const controller = new AbortController();
  const work = (async () => {
    for await (const event of runAgent({ provider, tools, model, messages, signal: controller.signal })) {
      if (event.type === 'text') controller.abort(new Error('enough'));
    }
  })();
  await expect(work).rejects.toThrow('enough');
});

test('failures of the provider are thrown', async () => {
  const { provider, double, model } = openAi();
  await using tools = await toolsFor();
  double.always({ fault: { status: 401 } });
  await expect(read({ provider, tools, model, messages })).rejects.toMatchObject({ failure: 'authentication' });
});

test('a full context window is answered with shorter tool results, once', async () => {
  const { provider, double, model } = openAi();
  await using tools = await toolsFor();
  const result = { callId: 'x', name: 'add', text: 'y'.repeat(500), media: [], isError: false };
  const long = [
    ...messages,
    { role: 'assistant' as const, content: [{ type: 'tool-call' as const, id: 'x', name: 'add', arguments: '{}' }] },
    { role: 'tool' as const, results: [result] },
  ];
  double.always({ fault: { status: 400, code: 'context_length_exceeded' } });
  await expect(read({ provider, tools, model, messages: long })).rejects.toMatchObject({ failure: 'context-window' });
  expect(double.requests).toHaveLength(2);
  expect(JSON.stringify(double.requests[1]?.body)).toContain('the conversation is too long');
});

test('a turn that the provider paused is continued', async () => {
  const { provider, double, model } = settingOf('anthropic');
  await using tools = await toolsFor('anthropic');
  double.next({ text: 'I am still', finish: 'pause_turn' }, { text: 'here.' });
  expect((await read({ provider, tools, model, messages })).run).toMatchObject({ turns: 2, text: 'here.' });
});

test('the transcript tells people what happened', async () => {
  const { provider, double, model } = openAi();
  await using tools = await toolsFor();
  double.next({ text: 'Let me see.', toolCalls: [sum('x', 1, 2)] }, { text: 'Three.' });
  const { run } = await read({ provider, tools, model, messages });
  const text = transcript(run.messages);
  expect(text).toContain('## User\n\nWhat is 1 + 2');
  expect(text).toContain('Call x: `add({"a":1,"b":2})`');
  expect(text).toContain('Result of x:\n\n````\n3\n````');
  expect(text.trimEnd().endsWith('Three.')).toBe(true);
});

test('a call of a later turn has an id of its own, so that a yes is for one call only', async () => {
  const { provider, double, model } = openAi();
  await using tools = await toolsFor();
  const wipe = { id: 'call_0', name: 'erase', arguments: {} };
  double.next({ toolCalls: [wipe, { ...wipe, id: 'call_3_0' }] }, { toolCalls: [wipe] }, { toolCalls: [wipe] });
  double.next({ text: 'Done.' });
  const asked: string[] = [];
  const approve: AgentRunOptions['approve'] = (_tool, _args, { id }) => {
    asked.push(id);
    return true;
  };
  const { run } = await read({ provider, tools, model, messages, approve });
  expect(run).toMatchObject({ end: 'finished', text: 'Done.', toolCalls: 4 });
  expect(asked).toHaveLength(4);
  expect(new Set(asked).size).toBe(4);
});
