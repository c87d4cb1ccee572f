import { expect, it } from 'vitest';
import { unreadyReasons } from './unready-reasons.js';

it('has a reason for every state but that of a ready hub', () => {
  expect(unreadyReasons({ status: 'ready', store: 'ok' })).toEqual([]);
  expect(unreadyReasons({ status: 'starting', store: 'ok' })).toEqual([expect.stringContaining('starting')]);
  expect(unreadyReasons({ status: 'stopping', store: 'failing' })).toEqual([
    expect.stringContaining('stopping'),
    expect.stringContaining('store does not answer'),
  ]);
});
