import { describe, expect, test } from 'vitest';
import { endpointPath, withPath } from './endpoint-event.js';
import { EventSplitter } from './event-splitter.js';
import { StruckAnswers } from './struck-answers.js';

const eventOf = (text: string) => {
  const [event] = new EventSplitter().push(Buffer.from(text));
  if (event === undefined) throw new Error('There is no event.');
  return event;
};

describe('the endpoint event', () => {
  const origin = new URL('http://server.example/sse');

  test.each([
    ['event: endpoint\ndata: /messages?s=1\n\n', '/messages?s=1'],
    ['event: endpoint\r\ndata: http://server.example/m\r\n\r\n', '/m'],
    ['event: endpoint\ndata: http://other.example/m\n\n', undefined],
    ['event: message\ndata: /messages\n\n', undefined],
  ])('%j names %s', (text, path) => {
    expect(endpointPath(eventOf(text), origin)).toBe(path);
  });

  test('keeps its name', () => {
    expect(withPath(eventOf('event: endpoint\ndata: http://server.example/m\n\n'), '/m')).toBe(
      'event: endpoint\ndata: /m\n\n',
    );
  });
});

describe('faults that wait for answers on another connection', () => {
  const request = JSON.stringify({ jsonrpc: '2.0', id: 3, method: 'tools/call' });
  const answer = (id: number) => JSON.stringify({ jsonrpc: '2.0', id, result: {} });

  test('strike the answer to the request on its own stream, once', () => {
    const struck = new StruckAnswers();
    struck.expect('/m?s=1', request, { kind: 'wrong-id' });
    expect(struck.take('/m?s=2', answer(3))).toBeUndefined();
    expect(struck.take('/m?s=1', answer(4))).toBeUndefined();
    expect(struck.take('/m?s=1', request)).toBeUndefined();
    expect(struck.take('/m?s=1', answer(3))).toEqual({ kind: 'wrong-id' });
    expect(struck.take('/m?s=1', answer(3))).toBeUndefined();
  });

  test('are forgotten when too many answers never come', () => {
    const struck = new StruckAnswers();
    for (let id = 0; id < 1_500; id += 1) {
      struck.expect('/m', JSON.stringify({ id, method: 'tools/call' }), { kind: 'garbage' });
    }
    expect(struck.take('/m', answer(0))).toBeUndefined();
    expect(struck.take('/m', answer(1_499))).toEqual({ kind: 'garbage' });
  });
});
