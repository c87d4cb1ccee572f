import type { ServerView } from '@plugboard/contract';
import { describe, expect, it } from 'vitest';
import { byUrgency, stateOf } from './server-state.js';

const AT = '2026-01-01T00:00:00Z';
const view = (changes: Partial<ServerView>): ServerView =>
  ({
    server_name: 'a',
    enabled: true,
    status: { state: 'ready', at: AT },
    missing_variables: [],
    held_tool_count: 0,
    last_sync: null,
    ...changes,
  }) as ServerView;
const failing = (code: string): ServerView['status'] =>
  ({ state: 'failing', at: AT, error: { code, message: 'It broke.', hint: 'Mend it.' } }) as ServerView['status'];
const program = (failures: number): NonNullable<ServerView['program']> => ({
  running: 0,
  starts_last_hour: failures,
  failures_last_hour: failures,
  last_exit: null,
});

describe('the state of a server', () => {
  it.each([
    ['Healthy', {}],
    ['Disabled', { enabled: false, status: failing('UPSTREAM_REFUSED') }],
    ['Not tried yet', { status: { state: 'unknown' } }],
    ['Failing', { status: failing('UPSTREAM_REFUSED') }],
    ['Sign-in required', { status: failing('AUTH_REQUIRED') }],
    ['Sign-in required', { status: failing('UPSTREAM_AUTH_EXPIRED') }],
    ['Crash-looping', { status: failing('PROCESS_CRASH_LOOP') }],
    ['Crash-looping', { status: failing('PROCESS_EXITED'), program: program(3) }],
    ['Degraded', { missing_variables: ['TOKEN'] }],
    ['Degraded', { program: program(1) }],
    ['Degraded', { last_sync: { status: 'partial' } as ServerView['last_sync'] }],
    ['Quarantined', { held_tool_count: 1 }],
    ['Healthy', { last_sync: { status: 'ok', quarantined: [{ name: 'decided-since', changes: [] }] } as never }],
  ] as [string, Partial<ServerView>][])('%s: %j', (word, changes) => {
    expect(stateOf(view(changes)).word).toBe(word);
  });

  it('says what is wrong and what to do', () => {
    expect(stateOf(view({ status: failing('UPSTREAM_REFUSED') }))).toMatchObject({
      problem: 'It broke.',
      hint: 'Mend it.',
    });
  });

  it('puts what needs a person first', () => {
    const servers = [
      view({ server_name: 'b' }),
      view({ server_name: 'off', enabled: false }),
      view({ server_name: 'broken', status: failing('UPSTREAM_REFUSED') }),
      view({ server_name: 'a' }),
    ];
    expect(servers.sort(byUrgency).map(({ server_name }) => server_name)).toEqual(['broken', 'a', 'b', 'off']);
  });
});
