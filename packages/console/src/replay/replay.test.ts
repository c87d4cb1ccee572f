import { QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { forgetReplay, leaveReplay, replayFor } from './replay.js';

it('hands a call over once, to the tool that it belongs to', () => {
  const queries = new QueryClient();
  leaveReplay(queries, 'tool-1', { args: { a: 1 } });
  expect(replayFor(queries, 'tool-2')).toBeUndefined();
  expect(replayFor(queries, 'tool-1')).toEqual({ args: { a: 1 } });
  forgetReplay(queries, 'tool-1');
  expect(replayFor(queries, 'tool-1')).toBeUndefined();
  queries.clear();
});
