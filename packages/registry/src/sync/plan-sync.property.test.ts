import { randomUUID } from 'node:crypto';
import type { ServerId } from '@plugboard/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StoredTool } from '../store/store.js';
import { definition } from '../test-support/scripted-reach.js';
import { examineTools } from './examine-tools.js';
import { planSync, type SyncPlan } from './plan-sync.js';

const serverId: ServerId = 'mcp_server-00000000-0000-4000-8000-000000000000';

const names = ['a', 'b', 'c', 'd', 'e', 'f'].concat(['__proto__', 'constructor', 'Ä']);
/** A list: each name at most once, with one of three descriptions. */
const list = fc.uniqueArray(fc.record({ name: fc.constantFrom(...names), text: fc.constantFrom('x', 'y', 'z') }), {
  selector: (tool) => tool.name,
});
type Listed = readonly { readonly name: string; readonly text: string }[];

const plan = async (known: readonly StoredTool[], found: Listed, at: string): Promise<SyncPlan> => {
  const { tools } = await examineTools(found.map((tool) => definition(tool.name, tool.text)));
  return planSync({
    serverId,
    known,
    found: tools,
    failedNames: [],
    at,
    rule: 'both',
    newToolId: () => `tool-${randomUUID()}`,
  });
};

/** What the store holds after a plan. */
const carryOut = (known: readonly StoredTool[], { put, drop }: SyncPlan): readonly StoredTool[] => {
  const rows = new Map(known.map((tool) => [tool.id, tool]));
  for (const id of drop) rows.delete(id);
  for (const tool of put) rows.set(tool.id, tool);
  return [...rows.values()].sort((a, b) => a.position - b.position);
};

describe('planSync', () => {
  it('says exactly what differs between two lists, keeps ids, and leads to the new list', async () => {
    await fc.assert(
      fc.asyncProperty(list, list, async (before, after) => {
        const known = carryOut([], await plan([], before, '2026-01-01T00:00:00.000Z'));
        const next = await plan(known, after, '2026-02-02T00:00:00.000Z');
        const textBefore = new Map(before.map((tool) => [tool.name, tool.text]));
        const namesAfter = new Set(after.map((tool) => tool.name));
        expect(next.added).toEqual(after.filter((tool) => !textBefore.has(tool.name)).map((tool) => tool.name));
        expect(next.updated).toEqual(
          after
            .filter((tool) => textBefore.has(tool.name) && textBefore.get(tool.name) !== tool.text)
            .map((tool) => tool.name),
        );
        expect(next.deleted).toEqual(before.filter((tool) => !namesAfter.has(tool.name)).map((tool) => tool.name));

        // another description speaks differently to a model, and waits for approval
        expect(next.quarantined.map((tool) => tool.upstreamName)).toEqual(next.updated);
        const rows = carryOut(known, next);
        const stored = rows.filter(({ absentSince }) => absentSince === undefined);
        expect(rows.filter(({ absentSince }) => absentSince !== undefined).map((tool) => tool.upstreamName)).toEqual(
          next.deleted,
        );
        expect(stored.map((tool) => ({ name: tool.upstreamName, text: tool.definition.description }))).toEqual(after);
        for (const tool of stored) {
          const old = known.find((each) => each.upstreamName === tool.upstreamName);
          if (old === undefined) continue;
          expect([tool.id, tool.createdAt]).toEqual([old.id, old.createdAt]);
          expect(tool.updatedAt === old.updatedAt).toBe(!next.updated.includes(tool.upstreamName));
        }
        const again = await plan(rows, after, '2026-03-03T00:00:00.000Z');
        expect(again).toEqual({ added: [], updated: [], deleted: [], quarantined: [], put: [], drop: [] });
      }),
    );
  });

  it('rewrites rows silently when only the order or the grade changed', async () => {
    const known = carryOut([], await plan([], [{ name: 'a', text: 'x' }], '2026-01-01T00:00:00.000Z'));
    const graded = known.map((tool) => ({ ...tool, grade: { status: 'INVALID' as const, reasons: [] } }));
    const next = await plan(graded, [{ name: 'a', text: 'x' }], '2026-02-02T00:00:00.000Z');
    expect(next).toMatchObject({ added: [], updated: [], deleted: [], put: known });
  });
});

describe('absent tools', () => {
  const at = (day: number): string => new Date(Date.UTC(2026, 0, day)).toISOString();

  it('keep their row, and come back as what they were', async () => {
    await fc.assert(
      fc.asyncProperty(list, list, async (before, between) => {
        const known = carryOut([], await plan([], before, at(1)));
        const marked = known.map((tool) => ({ ...tool, switchedOff: true, tags: ['kept'] }));
        const away = carryOut(marked, await plan(marked, between, at(2)));
        const back = carryOut(away, await plan(away, before, at(3)));
        for (const tool of marked) {
          expect(back.find(({ id }) => id === tool.id)).toMatchObject({
            ...tool,
            updatedAt: expect.any(String) as string,
          });
        }
      }),
    );
  });

  it('that wait for approval are never forgotten, and a server cannot make up more of them without end', async () => {
    const listed = [{ name: 'a', text: 'x' }];
    const known = carryOut([], await plan([], listed, at(1)));
    const [changed] = carryOut(known, await plan(known, [{ name: 'a', text: 'y' }], at(1)));
    if (changed === undefined) throw new Error('nothing was planned');
    const waiting = (index: number): StoredTool => ({
      ...changed,
      id: `tool-${randomUUID()}`,
      upstreamName: `made-up-${index}`,
      absentSince: at(1),
    });
    const absent = Array.from({ length: 10_000 }, (_, index) => waiting(index));
    expect((await plan([...known, ...absent], listed, at(2))).drop).toEqual([]);
    const one = { ...waiting(10_000), absentSince: undefined };
    await expect(plan([...absent, one], [], at(3))).rejects.toMatchObject({ code: 'UPSTREAM_PROTOCOL' });
  });

  it('beyond what is remembered are forgotten, the newest first, but never what a person decided about', async () => {
    const first = carryOut([], await plan([], [{ name: 'a', text: 'x' }], at(1)));
    const [tool] = first;
    if (tool === undefined) throw new Error('nothing was planned');
    const absent = Array.from({ length: 10_002 }, (_, index): StoredTool => ({
      ...tool,
      id: `tool-${randomUUID()}`,
      upstreamName: `old ${index}`,
      createdAt: at(1 + (index % 3)),
      absentSince: at(4),
      switchedOff: index % 3 === 2,
    }));
    const { drop, put } = await plan([tool, ...absent], [], at(9));
    expect(put).toMatchObject([{ upstreamName: 'a', absentSince: at(9) }]);
    expect(drop).toHaveLength(3);
    const dropped = absent.filter(({ id }) => drop.includes(id));
    expect(dropped.map(({ switchedOff, createdAt }) => [switchedOff, createdAt])).toEqual(
      [1, 2, 3].map(() => [false, at(2)]),
    );
  });

  it('cannot be pushed out by invented names: what was accepted stays the reference', async () => {
    const listed = (text: string) => [{ name: 'send', text }];
    let rows = carryOut([], await plan([], listed('Sends a message.'), at(1)));
    const invented = Array.from({ length: 10_001 }, (_, index) => ({ name: `made-up-${index}`, text: 'x' }));
    for (const [day, tools] of [invented, [], listed('Sends a message, and a copy to somebody else.')].entries()) {
      rows = carryOut(rows, await plan(rows, tools, at(2 + day)));
    }
    expect(rows.find(({ upstreamName }) => upstreamName === 'send')?.quarantine?.accepted.definition.description).toBe(
      'Sends a message.',
    );
    expect(rows.filter(({ absentSince }) => absentSince !== undefined)).toHaveLength(9_999);
  });
});
