import { describe, expect, test } from 'vitest';
import type { Turn } from './script/turn.js';
import { ScriptedLlm } from './scripted-llm.js';
import { arrivalOf } from './test-support/arrival-of.js';

type Data = Readonly<Record<string, unknown>>;
interface Seen {
  readonly event: string | undefined;
  readonly data: Data;
}

const CONVERSE_STREAM = '/model/claude-double/converse-stream';
const user = { role: 'user', content: 'Hi' };

/** The events of a turn, and how its headers call them. */
const streamOf = async (path: string, body: object, turn: Turn): Promise<{ events: readonly Seen[]; type: string }> => {
  const llm = new ScriptedLlm();
  llm.script.next(turn);
  const reply = await llm.answer(arrivalOf(path, body));
  if (typeof reply === 'string' || !('pieces' in reply)) throw new Error('The reply is no stream.');
  const events = reply.pieces.flatMap((piece) =>
    typeof piece === 'object' && 'data' in piece ? [{ event: piece.event, data: piece.data as Data }] : [],
  );
  return { events, type: reply.headers['content-type'] ?? '' };
};

const turn: Turn = {
  thinking: 'Hm.',
  text: 'I look',
  toolCalls: [
    { name: 'see', arguments: { a: 1 } },
    { name: 'hear', arguments: '{"b"', id: 'mine' },
  ],
  usage: { input: 10, output: 20, cachedInput: 3, cacheWrite: 4, reasoning: 5 },
  chunk: 4,
};

describe('Chat Completions', () => {
  const chat = (changes: object, answer = turn) =>
    streamOf(
      '/v1/chat/completions',
      { model: 'gpt-double', messages: [user], stream: true, stream_options: { include_usage: true }, ...changes },
      answer,
    );
  const choices = (events: readonly Seen[]) =>
    events.flatMap(({ data }) => (data['choices'] as Data[] | undefined) ?? []);

  test('role, text, calls, one finish, usage, the end', async () => {
    const { events, type } = await chat({});
    expect(type).toBe('text/event-stream; charset=utf-8');
    expect(choices(events).map(({ delta }) => delta)).toEqual([
      { role: 'assistant', content: '', refusal: null },
      { content: 'I lo' },
      { content: 'ok' },
      {
        tool_calls: [
          {
            index: 0,
            id: expect.stringMatching(/^call_/u) as string,
            type: 'function',
            function: { name: 'see', arguments: '' },
          },
        ],
      },
      { tool_calls: [{ index: 0, function: { arguments: '{"a"' } }] },
      { tool_calls: [{ index: 0, function: { arguments: ':1}' } }] },
      { tool_calls: [{ index: 1, id: 'mine', type: 'function', function: { name: 'hear', arguments: '' } }] },
      { tool_calls: [{ index: 1, function: { arguments: '{"b"' } }] },
      {},
    ]);
    const finishes = choices(events).map(({ finish_reason }) => finish_reason);
    expect(finishes.filter((reason) => reason !== null)).toEqual(['tool_calls']);
    expect(events.at(-2)?.data).toMatchObject({
      choices: [],
      usage: {
        prompt_tokens: 10,
        completion_tokens: 20,
        total_tokens: 30,
        prompt_tokens_details: { cached_tokens: 3 },
        completion_tokens_details: { reasoning_tokens: 5 },
      },
    });
    expect(events.at(-1)?.data).toBe('[DONE]');
    expect(new Set(events.slice(0, -1).map(({ data }) => data['id'])).size).toBe(1);
  });

  test('no usage unless it is asked for and given', async () => {
    const withUsage = ({ events }: { events: readonly Seen[] }) => events.filter(({ data }) => Boolean(data['usage']));
    expect(withUsage(await chat({}))).toHaveLength(1);
    expect(withUsage(await chat({ stream_options: {} }))).toEqual([]);
    expect(withUsage(await chat({}, { ...turn, usage: null }))).toEqual([]);
  });

  test.each([
    [{ text: 'Hi' }, {}, 'stop'],
    [{ text: 'a'.repeat(9) }, { max_completion_tokens: 2 }, 'length'],
    [{ text: 'Hi', finish: 'content_filter' }, {}, 'content_filter'],
  ])('%j finishes with %j', async (answer, changes, finish) => {
    expect(choices((await chat(changes, answer)).events).at(-1)).toMatchObject({ finish_reason: finish });
  });
});

describe('Responses', () => {
  const responses = (answer: Turn, changes: object = {}) =>
    streamOf('/v1/responses', { model: 'o-double', input: 'Hi', stream: true, ...changes }, answer);

  test('each item is announced, told and done; the response is completed once', async () => {
    const { events } = await responses(turn);
    expect(events.map(({ event }) => event?.replace(/^response\./u, ''))).toEqual([
      'created',
      'in_progress',
      'output_item.added',
      'reasoning_summary_part.added',
      'reasoning_summary_text.delta',
      'reasoning_summary_text.done',
      'reasoning_summary_part.done',
      'output_item.done',
      'output_item.added',
      'content_part.added',
      'output_text.delta',
      'output_text.delta',
      'output_text.done',
      'content_part.done',
      'output_item.done',
      'output_item.added',
      'function_call_arguments.delta',
      'function_call_arguments.delta',
      'function_call_arguments.done',
      'output_item.done',
      'output_item.added',
      'function_call_arguments.delta',
      'function_call_arguments.done',
      'output_item.done',
      'completed',
    ]);
    expect(events.map(({ data }) => data['sequence_number'])).toEqual(events.map((_, at) => at));
    expect(events.every(({ event, data }) => data['type'] === event)).toBe(true);
    expect(events.at(-1)?.data['response']).toMatchObject({
      status: 'completed',
      incomplete_details: null,
      output: events.filter(({ event }) => event === 'response.output_item.done').map(({ data }) => data['item']),
      usage: { input_tokens: 10, output_tokens: 20, total_tokens: 30, output_tokens_details: { reasoning_tokens: 5 } },
    });
    const announced = events
      .filter(({ event }) => event === 'response.output_item.added')
      .map(({ data }) => data['item']);
    expect(announced).toMatchObject([
      { type: 'reasoning', summary: [] },
      { type: 'message', status: 'in_progress', content: [] },
      { type: 'function_call', status: 'in_progress', arguments: '' },
      { type: 'function_call', call_id: 'mine', arguments: '' },
    ]);
  });

  test.each([
    [{ text: 'a'.repeat(99) }, { max_output_tokens: 16 }, 'max_output_tokens'],
    [{ text: 'Hi', finish: 'content_filter' }, {}, 'content_filter'],
  ])('%j ends incomplete', async (answer, changes, reason) => {
    const { events } = await responses(answer, changes);
    expect(events.at(-1)).toMatchObject({
      event: 'response.incomplete',
      data: { response: { status: 'incomplete', incomplete_details: { reason } } },
    });
  });

  test('usage that is not told is null', async () => {
    expect((await responses({ text: 'Hi', usage: null })).events.at(-1)?.data['response']).toMatchObject({
      usage: null,
    });
  });
});

describe('Messages', () => {
  const messages = (answer: Turn, changes: object = {}) =>
    streamOf(
      '/v1/messages',
      { model: 'claude-double', max_tokens: 100, messages: [user], stream: true, ...changes },
      answer,
    );

  test('a start, each block by itself, one stop reason, the end', async () => {
    const { events } = await messages(turn);
    expect(events.every(({ event, data }) => data['type'] === event)).toBe(true);
    expect(
      events.map(({ data: { type, index, delta } }) => [
        type,
        index ?? null,
        (delta as Data | undefined)?.['type'] ?? null,
      ]),
    ).toEqual([
      ['message_start', null, null],
      ['ping', null, null],
      ['content_block_start', 0, null],
      ['content_block_delta', 0, 'thinking_delta'],
      ['content_block_delta', 0, 'signature_delta'],
      ['content_block_stop', 0, null],
      ['content_block_start', 1, null],
      ['content_block_delta', 1, 'text_delta'],
      ['content_block_delta', 1, 'text_delta'],
      ['content_block_stop', 1, null],
      ['content_block_start', 2, null],
      ['content_block_delta', 2, 'input_json_delta'],
      ['content_block_delta', 2, 'input_json_delta'],
      ['content_block_delta', 2, 'input_json_delta'],
      ['content_block_stop', 2, null],
      ['content_block_start', 3, null],
      ['content_block_delta', 3, 'input_json_delta'],
      ['content_block_delta', 3, 'input_json_delta'],
      ['content_block_stop', 3, null],
      ['message_delta', null, null],
      ['message_stop', null, null],
    ]);
    expect(events[0]?.data['message']).toMatchObject({
      content: [],
      stop_reason: null,
      usage: { input_tokens: 10, output_tokens: 1, cache_read_input_tokens: 3, cache_creation_input_tokens: 4 },
    });
    expect(events.at(-2)?.data).toEqual({
      type: 'message_delta',
      delta: { stop_reason: 'tool_use', stop_sequence: null },
      usage: { output_tokens: 20 },
    });
  });

  test.each([
    [{ text: 'Hi' }, {}, 'end_turn'],
    [{ text: 'a'.repeat(9) }, { max_tokens: 2 }, 'max_tokens'],
    [{ text: 'Hi', finish: 'refusal' }, {}, 'refusal'],
  ])('%j with %j stops with %s', async (answer, changes, reason) => {
    const { events } = await messages({ ...answer, usage: null }, changes);
    expect(events.at(-2)?.data).toEqual({ type: 'message_delta', delta: { stop_reason: reason, stop_sequence: null } });
    expect(events[0]?.data['message']).not.toHaveProperty('usage');
  });
});

describe('ConverseStream', () => {
  const converse = (answer: Turn, changes: object = {}) =>
    streamOf(CONVERSE_STREAM, { messages: [{ role: 'user', content: [{ text: 'Hi' }] }], ...changes }, answer);

  test('only calls are announced; the metadata comes after the stop', async () => {
    const { events, type } = await converse(turn);
    expect(type).toBe('application/vnd.amazon.eventstream');
    expect(events.map(({ event, data }) => [event, data['contentBlockIndex'] ?? null])).toEqual([
      ['messageStart', null],
      ['contentBlockDelta', 0],
      ['contentBlockDelta', 0],
      ['contentBlockStop', 0],
      ['contentBlockDelta', 1],
      ['contentBlockDelta', 1],
      ['contentBlockStop', 1],
      ['contentBlockStart', 2],
      ['contentBlockDelta', 2],
      ['contentBlockDelta', 2],
      ['contentBlockStop', 2],
      ['contentBlockStart', 3],
      ['contentBlockDelta', 3],
      ['contentBlockStop', 3],
      ['messageStop', null],
      ['metadata', null],
    ]);
    expect(events.slice(-2).map(({ data }) => data)).toMatchObject([
      { stopReason: 'tool_use' },
      {
        usage: {
          inputTokens: 10,
          outputTokens: 20,
          totalTokens: 30,
          cacheReadInputTokens: 3,
          cacheWriteInputTokens: 4,
        },
      },
    ]);
  });

  test('a limit, a reason of its own, and no usage', async () => {
    const cut = await converse({ text: 'a'.repeat(9), usage: null }, { inferenceConfig: { maxTokens: 2 } });
    expect(cut.events.slice(-2).map(({ data }) => data)).toEqual([
      { stopReason: 'max_tokens' },
      { metrics: { latencyMs: 1 } },
    ]);
    const own = await converse({ text: 'Hi', finish: 'guardrail_intervened' });
    expect(own.events.at(-2)?.data).toEqual({ stopReason: 'guardrail_intervened' });
  });
});

test.each([
  ['/v1/messages', { model: 'claude-double', max_tokens: 9, messages: [user] }],
  ['/model/claude-double/converse', { messages: [{ role: 'user', content: [{ text: 'Hi' }] }] }],
])('without a stream, arguments that are no JSON are an empty object: %s', async (path, body) => {
  const llm = new ScriptedLlm();
  llm.script.next({ toolCalls: [{ name: 'see', arguments: '{"a"' }] });
  const reply = await llm.answer(arrivalOf(path, body));
  expect(reply).toMatchObject({ status: 200, body: expect.stringContaining('"name":"see","input":{}') as string });
});
