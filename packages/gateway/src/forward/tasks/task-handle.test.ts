import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { markOfTask } from '../../call/fleet-side.js';
import { openTask, sealTask } from './task-handle.js';

const key = new Uint8Array(32).fill(7);
const binding = { principal: 'ada', scopeId: 'all' };
const addresses = fc.record({
  serverId: fc.uuid().map((id) => `mcp_server-${id}` as const),
  taskId: fc.string(),
  tool: fc.string(),
});
const marks = fc.option(fc.constant('0a1b2c3d'), { nil: undefined });

describe('the handle of a task', () => {
  it('brings back what it stands for, and fits into an HTTP field', () => {
    fc.assert(
      fc.property(addresses, (address) => {
        const handle = sealTask(key, address, binding);
        expect(handle).toMatch(/^[\w.-]+$/u);
        expect(openTask(key, handle, binding)).toEqual(address);
        expect(sealTask(key, address, binding)).toBe(handle);
      }),
    );
  });

  it('names the process that it was begun at, to every process', () => {
    fc.assert(
      fc.property(addresses, marks, (address, mark) => {
        const handle = sealTask(key, { ...address, mark }, binding);
        expect(markOfTask(handle)).toBe(mark);
        expect(openTask(key, handle, binding)).toEqual(mark === undefined ? address : { ...address, mark });
      }),
    );
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(markOfTask(text)).toBeUndefined();
      }),
    );
  });

  it('is worth nothing to another caller, at another endpoint, under another key, or changed', () => {
    fc.assert(
      fc.property(addresses, fc.nat(), (address, at) => {
        const handle = sealTask(key, address, binding);
        expect(openTask(key, handle, { ...binding, principal: 'eve' })).toBeUndefined();
        expect(openTask(key, handle, { ...binding, scopeId: 'server x' })).toBeUndefined();
        expect(openTask(new Uint8Array(32), handle, binding)).toBeUndefined();
        const position = at % handle.length;
        const other = handle[position] === 'A' ? 'B' : 'A';
        const changed = handle.slice(0, position) + other + handle.slice(position + 1);
        expect(openTask(key, changed, binding)).toBeUndefined();
      }),
    );
  });

  it('is not any other text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(openTask(key, text, binding)).toBeUndefined();
      }),
    );
  });
});
