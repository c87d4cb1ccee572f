import { describe, expect, test } from 'vitest';
import type { ProxyFault } from '../board/proxy-fault.js';
import { EventFaults } from './event-faults.js';
import { EventSplitter } from './event-splitter.js';

const NOTICE = 'event: message\ndata: {"method":"notifications/progress"}\n\n';
const ANSWER = 'id: 7\r\ndata: {"id":1,"result":{}}\r\n\r\n';

const through = (fault: ProxyFault): string => {
  const splitter = new EventSplitter();
  const faults = new EventFaults(fault);
  let text = '';
  for (const byte of Buffer.from(NOTICE + ANSWER)) {
    for (const event of splitter.push(Buffer.from([byte]))) {
      const { write, cut } = faults.take(event);
      text += write.join('') + (cut ? '<cut>' : '');
    }
  }
  return text + faults.flush().write.join('') + splitter.rest;
};

describe('faults of an event stream', () => {
  test('pass events of other faults on as they were written', () => {
    expect(through({ kind: 'reset' })).toBe(NOTICE + ANSWER);
  });

  test('end it before the answer', () => {
    expect(through({ kind: 'drop-stream' })).toBe(`${NOTICE}<cut>`);
  });

  test('repeat every event', () => {
    expect(through({ kind: 'duplicate-events' })).toBe(NOTICE + NOTICE + ANSWER + ANSWER);
  });

  test('turn the order round', () => {
    expect(through({ kind: 'reorder-events' })).toBe(ANSWER + NOTICE);
  });

  test('change the answer and leave the other fields', () => {
    expect(through({ kind: 'wrong-id' })).toContain('id: 7\ndata: {"id":987654321');
    expect(through({ kind: 'duplicate-response' }).match(/"result"/gu)).toHaveLength(2);
  });
});

describe('what never ends', () => {
  test('an event without an end passes on as it is, and little of it is held', () => {
    const splitter = new EventSplitter(100);
    let text = '';
    let held = 0;
    for (let index = 0; index < 50; index += 1) {
      for (const { raw } of splitter.push(Buffer.from(`data: ${'x'.repeat(40)}`))) text += raw;
      held = Math.max(held, splitter.rest.length);
    }
    expect(text + splitter.rest).toBe(`data: ${'x'.repeat(40)}`.repeat(50));
    expect(held).toBeLessThanOrEqual(100);
  });

  test('events that are held back for another order are let go when they are too many', () => {
    const faults = new EventFaults({ kind: 'reorder-events' });
    const event = { raw: `data: ${'x'.repeat(1_000_000)}\n\n`, data: '{}' };
    let written = 0;
    for (let index = 0; index < 100; index += 1) written += faults.take(event).write.length;
    expect(written).toBeGreaterThan(50);
    expect(written + faults.flush().write.length).toBe(100);
  });
});
