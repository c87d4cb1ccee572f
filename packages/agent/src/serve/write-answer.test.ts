import { describe, expect, test } from 'vitest';
import { NO_USAGE } from '../conversation/model-answer.js';
import type { AgentEvent, AgentRun } from '../loop/agent-event.js';
import { type ServedEvent, writeServedEvent } from './served-head.js';
import { streamChat, writeChat } from './write-chat.js';
import { streamResponse, writeResponse } from './write-responses.js';

const head = { id: 'x', created: 1, model: 'helper' };

const runOf = (changes: Partial<AgentRun> = {}): AgentRun => ({
  end: 'finished',
  text: 'Two.',
  finish: { kind: 'stop', raw: 'stop' },
  usage: { ...NO_USAGE, input: 3, output: 4, total: 7, cachedInput: 1, reasoning: 2 },
  turns: 2,
  toolCalls: 1,
  messages: [],
  ...changes,
});

const eventsOf = async function* (run: AgentRun): AsyncGenerator<AgentEvent> {
  yield { type: 'turn', turn: 1, model: 'm' };
  yield { type: 'thinking', text: 'Hm.' };
  yield { type: 'text', text: 'One.' };
  yield { type: 'tool-call', id: 'a', name: 'look', server: 's', arguments: '{}' };
  yield { type: 'tool-result', id: 'a', name: 'look', kind: 'result', text: 'seen', isError: false, durationMs: 1 };
  yield { type: 'turn', turn: 2, model: 'm' };
  yield { type: 'text', text: 'Tw' };
  yield { type: 'text', text: 'o.' };
  yield { type: 'done', run };
};

const collect = async (events: AsyncIterable<ServedEvent>): Promise<readonly Record<string, unknown>[]> => {
  const found: Record<string, unknown>[] = [];
  for await (const { data } of events) if (typeof data === 'object') found.push(data as Record<string, unknown>);
  return found;
};

const FINISHES: readonly (readonly [Partial<AgentRun>, string, string])[] = [
  [{}, 'stop', 'completed'],
  [{ end: 'turn-limit' }, 'length', 'incomplete'],
  [{ finish: { kind: 'length', raw: 'length' } }, 'length', 'incomplete'],
  [{ finish: { kind: 'content-filter', raw: 'x' } }, 'content_filter', 'incomplete'],
  [{ finish: { kind: 'other', raw: 'new' } }, 'stop', 'completed'],
];

describe('Chat Completions', () => {
  test.each(FINISHES)('%j finishes with %s, whole and streamed', async (changes, finish) => {
    const whole = await writeChat(head, eventsOf(runOf(changes)));
    expect(whole).toMatchObject({
      object: 'chat.completion',
      choices: [{ message: { content: 'One.\n\nTwo.', reasoning_content: 'Hm.' }, finish_reason: finish }],
      usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 },
    });
    const chunks = await collect(streamChat(head, eventsOf(runOf(changes)), { streamUsage: true, events: false }));
    const choices = chunks.flatMap(
      (chunk) => chunk['choices'] as { delta: { content?: string }; finish_reason: string | null }[],
    );
    expect(choices.map(({ delta }) => delta.content ?? '').join('')).toBe('One.\n\nTwo.');
    expect(choices.flatMap(({ finish_reason: reason }) => reason ?? [])).toEqual([finish]);
    expect(choices.at(-1)?.finish_reason).toBe(finish);
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: 7 } });
  });

  test('usage that is unknown is left out', async () => {
    const run = runOf({ usage: NO_USAGE });
    expect(await writeChat(head, eventsOf(run))).not.toHaveProperty('usage');
    const chunks = await collect(streamChat(head, eventsOf(run), { streamUsage: true, events: false }));
    expect(chunks.every(({ usage }) => usage === null)).toBe(true);
  });

  test('events are sent when they are wanted, without the messages', async () => {
    const chunks = await collect(streamChat(head, eventsOf(runOf()), { streamUsage: false, events: true }));
    const types = chunks.flatMap(({ plugboard }) => (plugboard === undefined ? [] : (plugboard as AgentEvent).type));
    expect(types).toEqual(['turn', 'tool-call', 'tool-result', 'turn', 'done']);
    expect(JSON.stringify(chunks.at(-1))).not.toContain('messages');
  });

  test('a run without an end is a bug', async () => {
    const endless = async function* (): AsyncGenerator<AgentEvent> {
      yield { type: 'text', text: 'One.' };
    };
    await expect(writeChat(head, endless())).rejects.toThrow('no end');
    await expect(writeResponse(head, endless())).rejects.toThrow('no end');
  });
});

describe('Responses', () => {
  test.each(FINISHES)('%j, whole and streamed', async (changes, _finish, status) => {
    const whole = await writeResponse(head, eventsOf(runOf(changes)));
    expect(whole).toMatchObject({ id: 'resp_x', status, output_text: 'One.\n\nTwo.', usage: { total_tokens: 7 } });
    const events = await collect(streamResponse(head, eventsOf(runOf(changes)), { events: false }));
    expect(events.map(({ sequence_number: number }) => number)).toEqual(events.map((_event, at) => at));
    expect(events[0]).toMatchObject({ type: 'response.created' });
    expect(events.at(-1)).toMatchObject({ type: `response.${status}`, response: whole });
    expect(events.map(({ delta }) => (typeof delta === 'string' ? delta : '')).join('')).toBe('One.\n\nTwo.');
  });

  test('unknown usage is null, and events have a type of their own', async () => {
    const run = runOf({ usage: NO_USAGE });
    expect(await writeResponse(head, eventsOf(run))).toMatchObject({ usage: null });
    const events = await collect(streamResponse(head, eventsOf(run), { events: true }));
    expect(events.filter(({ type }) => type === 'plugboard.event')).toHaveLength(5);
  });
});

test('events are written as server-sent events', () => {
  expect(writeServedEvent({ data: '[DONE]' })).toBe('data: [DONE]\n\n');
  expect(writeServedEvent({ event: 'a', data: { b: 'c\nd' } })).toBe('event: a\ndata: {"b":"c\\nd"}\n\n');
});
