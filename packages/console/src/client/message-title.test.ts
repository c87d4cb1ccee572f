import { describe, expect, it } from 'vitest';
import { messageTitle } from './message-title.js';

describe('the title of a message', () => {
  it.each([
    [{ id: 3, method: 'tools/call', params: {} }, 'tools/call #3'],
    [{ method: 'notifications/progress' }, 'notifications/progress'],
    [{ id: 3, result: {} }, 'answer to #3'],
    [{ id: 'a', error: { code: 1, message: 'x' } }, 'error to #a'],
    [{ method: 7 }, 'answer to'],
    [[], 'message'],
  ])('%j is %s', (message, title) => {
    expect(messageTitle(message)).toBe(title);
  });

  it('stays short', () => {
    expect(messageTitle({ method: 'x'.repeat(500) }).length).toBeLessThanOrEqual(80);
  });
});
