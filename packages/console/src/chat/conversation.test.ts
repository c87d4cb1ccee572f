import { describe, expect, it } from 'vitest';
import type { ChatChunk, ChatEvent } from '../api/chat.js';
import { asked, type Conversation, decided, ended, heard, messagesOf, NOTHING_SAID } from './conversation.js';

const says = (content: string): ChatChunk => ({ id: 'chat-1', choices: [{ delta: { content } }] });
const does = (plugboard: ChatEvent): ChatChunk => ({ id: 'chat-1', choices: [{ delta: {} }], plugboard });
const after = (start: Conversation, ...chunks: readonly ChatChunk[]): Conversation => chunks.reduce(heard, start);

const call = does({ type: 'tool-call', id: 'a', name: 'sum__add', server: 'sum', arguments: '{"a":1}' });
const result = does({ type: 'tool-result', id: 'a', text: '2', isError: false, durationMs: 5 });
const turn = does({ type: 'turn' });

describe('a conversation', () => {
  it('joins pieces of text, and shows thinking apart', () => {
    const { items, completionId } = after(
      asked(NOTHING_SAID, 'Hi'),
      turn,
      { id: 'chat-1', choices: [{ delta: { reasoning_content: 'Hm' } }] },
      says('Hel'),
      says('lo'),
    );
    expect(completionId).toBe('chat-1');
    expect(items).toEqual([
      { kind: 'question', text: 'Hi' },
      { kind: 'thinking', turn: 1, text: 'Hm' },
      { kind: 'text', turn: 1, text: 'Hello' },
    ]);
  });

  it('follows a call from the wish to its result', () => {
    const wanted = after(asked(NOTHING_SAID, 'Add'), turn, call, does({ type: 'approval', id: 'a' }));
    const stateOf = ({ items }: Conversation) => items.flatMap((item) => (item.kind === 'call' ? [item.state] : []));
    expect(stateOf(wanted)).toEqual(['waiting']);
    const allowed = decided(wanted, 'a');
    expect(stateOf(allowed)).toEqual(['working']);
    expect(after(allowed, result).items.at(-1)).toMatchObject({ state: 'answered', result: '2', durationMs: 5 });
    const failed = does({ type: 'tool-result', id: 'a', text: 'No.', isError: true, durationMs: 0 });
    expect(stateOf(after(allowed, failed))).toEqual(['failed']);
    expect(stateOf(ended(wanted, { tone: 'quiet', text: 'Stopped.' }))).toEqual(['stopped']);
  });

  it('keeps calls of different turns apart, though they have the same id', () => {
    const { items } = after(asked(NOTHING_SAID, 'Add'), turn, call, result, turn, call);
    expect(items.flatMap((item) => (item.kind === 'call' ? [item.state] : []))).toEqual(['answered', 'working']);
  });

  it('tells why a run ended, unless it was done', () => {
    const done = (end: string) => does({ type: 'done', run: { end, turns: 1, usage: { total: null } } });
    expect(heard(NOTHING_SAID, done('finished')).items).toEqual([]);
    expect(heard(NOTHING_SAID, done('turn-limit')).items).toMatchObject([{ kind: 'remark', tone: 'quiet' }]);
    expect(ended(NOTHING_SAID, { tone: 'bad', text: 'No.', hint: 'Wait.' }).items).toEqual([
      { kind: 'remark', tone: 'bad', text: 'No.', hint: 'Wait.' },
    ]);
  });
});

describe('what the hub is sent', () => {
  it('has each call with its result, by turns, and no remarks', () => {
    const said = after(asked(NOTHING_SAID, 'Add'), turn, says('Let me see.'), call, result, turn, says('\n\nTwo.'));
    expect(messagesOf(asked(ended(said, { tone: 'quiet', text: 'x' }), 'And now?'))).toEqual([
      { role: 'user', content: 'Add' },
      {
        role: 'assistant',
        content: 'Let me see.',
        tool_calls: [{ id: 'a', type: 'function', function: { name: 'sum__add', arguments: '{"a":1}' } }],
      },
      { role: 'tool', tool_call_id: 'a', content: '2' },
      { role: 'assistant', content: 'Two.' },
      { role: 'user', content: 'And now?' },
    ]);
  });

  it('has a result for a call that was stopped', () => {
    const messages = messagesOf(ended(after(asked(NOTHING_SAID, 'Add'), turn, call)));
    expect(messages.at(-1)).toMatchObject({ role: 'tool', tool_call_id: 'a' });
  });
});
