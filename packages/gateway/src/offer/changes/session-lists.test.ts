import { setTimeout } from 'node:timers/promises';
import type { CompareSessionList, SessionOffer, ToolDefinition } from '@plugboard/contract';
import { describe, expect, it } from 'vitest';
import type { CatalogueSource } from '../catalogue/catalogue-source.js';
import { serverScope } from '../scope/server-scope.js';
import { sessionOf } from '../../test-support/call.js';
import { catalogueOf, sampleServer, sampleTool } from '../../test-support/catalogue.js';
import { RecordingClient } from '../../test-support/recording-client.js';
import { UpstreamPool } from '../../connection/upstream-pool.js';
import { SessionLists } from './session-lists.js';

const server = sampleServer('a', 1);
const own = sampleTool(server, 'secret');
const definition = (name: string): ToolDefinition => ({ name, inputSchema: { type: 'object' } });
const TOOLS_CHANGED = 'notifications/tools/list_changed';

/** Whatever the catalogue has not is the session's own. */
const compareSessionList: CompareSessionList = async (_id, { definitions }): Promise<SessionOffer | undefined> => {
  const names = new Set(definitions.map(({ name }) => name));
  const isOwn = names.has('secret');
  const hidden = new Set(names.has('plain') ? [] : ['plain']);
  if (!isOwn && hidden.size === 0) return undefined;
  return { tools: isOwn ? [own] : [], definitions: new Map(isOwn ? [['secret', definition('secret')]] : []), hidden };
};

const setUp = () => {
  let onChange = (): void => undefined;
  const tools = { listed: ['plain'], catalogue: [sampleTool(server, 'plain')] };
  const catalogue: CatalogueSource = {
    ...catalogueOf([]),
    snapshot: () => ({ version: 1, entries: [{ server, tools: tools.catalogue }] }),
    onChange: (listener) => {
      onChange = () => listener(catalogue.snapshot());
      return () => undefined;
    },
    compareSessionList,
  };
  const clients: RecordingClient[] = [];
  let answer = (): unknown => ({ tools: tools.listed.map(definition) });
  const upstream = new UpstreamPool({
    idleMs: 1000,
    makeClient: () => {
      const client = new RecordingClient(() => answer());
      clients.push(client);
      return client;
    },
  });
  const told: boolean[] = [];
  const lists = new SessionLists({ catalogue, upstream, tell: (_session, isAnnounced) => told.push(isAnnounced) });
  upstream.onNotification((link, { method }) => void (method === TOOLS_CHANGED && lists.notice(link)));
  const session = { ...sessionOf(), endpoint: serverScope(catalogue, 'a') };
  const link = upstream.link(server, { key: 'session s1', session });
  const announce = (): void => clients[0]?.emit(TOOLS_CHANGED);
  const names = (): readonly string[] => (session.view?.scope ?? session.endpoint).tools().map(({ name }) => name);
  const settled = async (): Promise<void> => {
    await session.view?.due;
  };
  return {
    lists,
    session,
    link,
    upstream,
    clients,
    told,
    tools,
    announce,
    names,
    settled,
    changeCatalogue: () => onChange(),
    answerWith: (other: () => unknown) => void (answer = other),
  };
};

describe('lists of sessions', () => {
  it('are laid over the endpoint, and whoever asks meanwhile waits for them', async () => {
    const { session, tools, announce, names, settled, told } = setUp();
    tools.listed = ['secret'];
    announce();
    expect(session.view?.due).toBeInstanceOf(Promise);
    await settled();
    expect(names()).toEqual(['secret']);
    expect(session.view?.due).toBeUndefined();
    expect(told).toEqual([true]);
    expect(() => session.view?.scope.findTool('plain')).toThrow('There is no tool named "plain" here.');
  });

  it('answer many announcements by one reading', async () => {
    const { clients, announce, settled } = setUp();
    for (let each = 0; each < 10; each += 1) announce();
    await settled();
    expect(clients[0]?.asked).toHaveLength(1);
  });

  it('are gone when the server offers the session what everybody gets', async () => {
    const { session, tools, announce, settled } = setUp();
    tools.listed = ['plain', 'secret'];
    announce();
    await settled();
    tools.listed = ['plain'];
    announce();
    await settled();
    expect(session.view).toBeUndefined();
  });

  it('are compared again when the catalogue of their server changed, and given up when that fails', async () => {
    const { session, tools, announce, names, settled, changeCatalogue, answerWith } = setUp();
    tools.listed = ['plain', 'secret'];
    announce();
    await settled();
    changeCatalogue();
    expect(session.view?.due).toBeUndefined();
    tools.catalogue = [sampleTool(server, 'plain')];
    answerWith(() => {
      throw new Error('gone');
    });
    changeCatalogue();
    await settled();
    expect(names()).toEqual(['plain']);
  });

  it('survive an announcement after which the list cannot be read', async () => {
    const { tools, announce, names, settled, answerWith } = setUp();
    tools.listed = ['plain', 'secret'];
    announce();
    await settled();
    answerWith(() => {
      throw new Error('gone');
    });
    announce();
    await settled();
    expect(names()).toEqual(['plain', 'secret']);
  });

  it('end with the connection, of which the client is told', async () => {
    const { session, link, upstream, tools, announce, settled, told } = setUp();
    tools.listed = ['plain', 'secret'];
    announce();
    await settled();
    await upstream.drop(link);
    expect(session.view).toBeUndefined();
    expect(told).toEqual([true, false]);
  });

  it('end with the session, also while they are read, and keep nobody waiting', async () => {
    const { lists, session, tools, announce, answerWith, told } = setUp();
    tools.listed = ['plain', 'secret'];
    answerWith(() => new Promise(() => undefined));
    announce();
    const { due } = session.view ?? {};
    await setTimeout(50);
    session.end();
    await due;
    expect(lists.size).toBe(0);
    expect(session.view).toBeUndefined();
    expect(told).toEqual([]);
  });

  it('of a server that answers every list with an announcement are read less and less often', async () => {
    const { clients, announce, answerWith } = setUp();
    answerWith(() => {
      announce();
      return { tools: [definition('plain')] };
    });
    announce();
    await setTimeout(700);
    expect(clients[0]?.asked.length).toBeLessThan(8);
  });

  it('are no matter of connections that clients share', () => {
    const { lists, upstream } = setUp();
    expect(lists.notice(upstream.link(server))).toBe(false);
    expect(lists.size).toBe(0);
  });
});
