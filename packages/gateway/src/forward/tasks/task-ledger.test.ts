import { describe, expect, it } from 'vitest';
import { callOf, clientOf } from '../../test-support/call.js';
import { sampleServer } from '../../test-support/catalogue.js';
import { RecordingClient } from '../../test-support/recording-client.js';
import { UpstreamPool } from '../../connection/upstream-pool.js';
import { bindingOf, TaskLedger, type TaskLedgerOptions } from './task-ledger.js';

const server = sampleServer('files', 1);
const call = callOf('tools/call');
const foreign = callOf('tools/call', {}, { client: { ...clientOf('2025-11-25'), caller: { principal: 'eve' } } });
const addressOf = (taskId: string) => ({ serverId: server.id, taskId, tool: 'files__read' });

const ledgerOf = (options: Partial<TaskLedgerOptions> = {}) => new TaskLedger({ key: new Uint8Array(32), ...options });

describe('TaskLedger', () => {
  it('shows each caller its own tasks only', () => {
    const ledger = ledgerOf();
    const record = ledger.keep(call, { address: addressOf('t'), server, last: { status: 'working' } });
    expect(ledger.of(bindingOf(call))).toEqual([record]);
    expect(ledger.of(bindingOf(foreign))).toEqual([]);
    expect(ledger.open(record.handle, bindingOf(call))).toEqual(record.address);
    expect(ledger.open(record.handle, bindingOf(foreign))).toBeUndefined();
    expect(ledger.keep(call, { address: addressOf('t'), server, last: {} })).toBe(record);
    expect(ledger.keep(foreign, { address: addressOf('t'), server, last: {} })).not.toBe(record);
    ledger.close();
  });

  it('forgets tasks when their time is over, and the oldest when there are too many', () => {
    let now = 0;
    const ledger = ledgerOf({ maxTasks: 2, now: () => now });
    ledger.keep(call, { address: addressOf('a'), server, last: { ttl: 10 } });
    ledger.keep(call, { address: addressOf('b'), server, last: { ttlMs: null } });
    ledger.keep(call, { address: addressOf('c'), server, last: { ttlMs: 50 } });
    expect(ledger.find(server.id, 'a')).toBeUndefined();
    now = 60;
    ledger.sweep();
    expect(ledger.size).toBe(1);
    now = 3_600_001;
    ledger.sweep();
    expect(ledger.size).toBe(0);
    ledger.close();
  });

  it('keeps the connection of a task open until the task is over', () => {
    const ledger = ledgerOf();
    const pool = new UpstreamPool({ idleMs: 1000, makeClient: () => new RecordingClient() });
    const link = pool.link(server);
    const record = ledger.keep(call, { address: addressOf('t'), server, last: { status: 'working' }, link });
    expect(link.users).toBe(1);
    ledger.note(record, { status: 'input_required' });
    ledger.note(record, 'nonsense');
    expect([link.users, record.last['status']]).toEqual([1, 'input_required']);
    ledger.note(record, { status: 'completed' });
    expect(link.users).toBe(0);
    ledger.close();
  });
});
