import type { ToolDefinition } from '@plugboard/contract';
import { describe, expect, it } from 'vitest';
import { definition } from '../test-support/scripted-reach.js';
import { httpServer, registryFixture } from '../test-support/registry-fixture.js';
import { examineTools } from './examine-tools.js';

describe('examineTools', () => {
  it('lets nothing that is wrong with one tool touch another', async () => {
    const circular: Record<string, unknown> = {};
    circular['self'] = circular;
    const rubbish: readonly unknown[] = [
      { name: 7 },
      { name: '' },
      {},
      definition('\ud800 lone'),
      definition('nul \u0000'),
      definition('ö'.repeat(300)),
      { name: 'circular', inputSchema: circular },
      { name: 'big', description: 'x'.repeat(17 * 1024 * 1024) },
      { name: 'bigint', inputSchema: { maximum: 1n } },
    ];
    const mixed = rubbish.flatMap((each, index) => [each, definition(`good-${index}`)]) as readonly ToolDefinition[];
    const { tools, failed } = await examineTools(mixed);
    expect(tools.map((tool) => tool.definition.name)).toEqual(rubbish.map((_, index) => `good-${index}`));
    expect(tools.map((tool) => tool.position)).toEqual(rubbish.map((_, index) => index * 2 + 1));
    expect(failed).toHaveLength(rubbish.length);
    for (const { name, error } of failed) {
      expect(name).toMatch(/^\P{Surrogate}+$/u);
      expect(error).toMatchObject({ code: 'UPSTREAM_PROTOCOL' });
    }
    expect(failed.map((tool) => tool.name).slice(0, 3)).toEqual([1, 3, 5].map((n) => `(entry ${n} without a name)`));
  });

  it('keeps the first of two tools with one name', async () => {
    const { tools, failed } = await examineTools([definition('a', 'first'), definition('a', 'second')]);
    expect(tools.map((tool) => tool.definition.description)).toEqual(['first']);
    expect(failed).toEqual([{ name: 'a', error: expect.objectContaining({ code: 'UPSTREAM_PROTOCOL' }) }]);
  });

  it('lets other work have its turn during a long list', async () => {
    let turns = 0;
    const ticking = setInterval(() => (turns += 1), 0);
    try {
      await examineTools(Array.from({ length: 2000 }, (_, index) => definition(`t${index}`)));
    } finally {
      clearInterval(ticking);
    }
    expect(turns).toBeGreaterThan(0);
  });
});

describe('a list that was examined before', () => {
  it('is not examined again, unless this process has not done it or a definition changed', async () => {
    await using fixture = await registryFixture();
    const { registry, reach, reopen } = fixture;
    const examined: string[] = [];
    // Whoever examines a definition asks for its description more often than whoever only compares it.
    const watched = (name: string, description: string): ToolDefinition => ({
      ...definition(name),
      get description() {
        examined.push(name);
        return description;
      },
    });
    const asks = async (work: () => Promise<unknown>): Promise<number> => {
      examined.length = 0;
      await work();
      return examined.length;
    };
    let text = 'first';
    reach.list = async () => [watched('a', text)];
    const { server } = await registry.registerServer(httpServer('one'));
    const sync = () => registry.syncServer(server.id);
    const again = await asks(sync);
    text = 'second';
    expect(await asks(sync)).toBeGreaterThan(again);
    expect(await asks(sync)).toBe(again);
    const other = await reopen();
    expect(await asks(() => other.syncServer(server.id))).toBeGreaterThan(again);
  });
});

describe('a long list', () => {
  it('is stored before it is judged for providers, and judged behind', async () => {
    await using fixture = await registryFixture();
    const { registry, reach } = fixture;
    reach.list = async () => Array.from({ length: 501 }, (_, index) => definition(`t${index}`));
    const { server, sync } = await registry.registerServer(httpServer('many'));
    expect(sync.added).toHaveLength(501);
    expect(registry.snapshot().entries[0]?.tools).toHaveLength(501);
    const unjudged = () =>
      registry.snapshot().entries[0]?.tools.filter(({ providers }) => providers === undefined).length;
    await expect.poll(unjudged, { timeout: 25_000 }).toBe(0);
    expect(await registry.syncServer(server.id)).toMatchObject({ added: [], updated: [], deleted: [] });
    expect(unjudged()).toBe(0);
  });
});
