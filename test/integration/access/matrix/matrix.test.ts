import { randomUUID } from 'node:crypto';
import { DOUBLE_KEY, llmDouble, type LlmDouble } from '@plugboard/testing/llm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hubCallWith } from '../../../support/hub-call.js';
import { type Holder, type Ran, setStage, type Stage } from './given.js';
import { type Attempt, type Caller, RUN_ROUTE, RUN_WAY, type Way, WAYS } from './ways.js';

let stage: Stage;
let double: LlmDouble;
beforeAll(async () => {
  [stage, double] = await Promise.all([setStage(), llmDouble()]);
});
afterAll(async () => {
  await stage.close();
  await double.close();
});

const TOOLS = ['read', 'write', 'wipe', 'retired', 'changed', 'secret'] as const;
type ToolName = (typeof TOOLS)[number];

const serverOf = (tool: ToolName): 'files' | 'other' => (tool === 'secret' ? 'other' : 'files');
const prefixed = (tool: ToolName): string => `${serverOf(tool)}__${tool}`;

/** Names that mean nothing anywhere, though somebody who is careless may read them as a tool. */
const MISSPELT = [
  'WIPE',
  'Files__wipe',
  'ｗｉｐｅ',
  'wipe\u200B',
  ' wipe',
  'wipe/',
  'files/wipe',
  '../files/tools/wipe',
  'w%69pe',
  'wıpe',
  '__proto__',
  'constructor',
  'other__wipe',
];
const NAMES: readonly string[] = [...TOOLS, ...TOOLS.map(prefixed), 'look'];

const ASKED = { path: '/etc', mode: 'force' } as const;

/** What a name runs at an endpoint, and with which arguments: those of the caller unless the toolset has others. */
type Offer = Readonly<Record<string, Ran>>;

const plain = (tool: ToolName): Ran => ({ tool, ...ASKED });
const LOOK: Offer = { look: { tool: 'read', path: '/papers', mode: 'force' } };
const offers = (tools: readonly ToolName[], nameOf: (tool: ToolName) => string): Offer =>
  Object.fromEntries(tools.map((tool) => [nameOf(tool), plain(tool)]));

interface Row {
  /** What the agent is given, by the names of this test. */
  readonly servers?: readonly ('files' | 'other')[];
  readonly tools?: readonly ToolName[];
  readonly denied?: readonly ToolName[];
  readonly toolsets?: readonly string[];
  /** The servers that its key is limited to. */
  readonly keyOn?: readonly ('files' | 'other')[];
  /** The tools that it reaches outside toolsets. */
  readonly direct: readonly ToolName[];
  /** Servers whose endpoints exist for it, though they offer it nothing: its tools there are withheld. */
  readonly emptyAt?: readonly ('files' | 'other')[];
  /** What it reaches at each toolset; a toolset that is missing does not exist for it. */
  readonly at?: Readonly<Record<string, Offer>>;
}

const ROWS: Readonly<Record<string, Row>> = {
  nothing: { direct: [] },
  'a server': { servers: ['files'], direct: ['read', 'write', 'wipe'] },
  'a server without one tool': { servers: ['files'], denied: ['wipe'], direct: ['read', 'write'] },
  'one tool': { tools: ['write'], direct: ['write'] },
  'tools that are withheld': { tools: ['retired', 'changed'], direct: [], emptyAt: ['files'] },
  'a toolset with presets and hidden arguments': {
    toolsets: ['narrow'],
    direct: [],
    emptyAt: ['files'],
    at: { narrow: { ...LOOK, files__write: { tool: 'write', path: '/etc', mode: undefined } } },
  },
  'a toolset that only reads': {
    toolsets: ['reading'],
    direct: [],
    at: { reading: { files__read: plain('read') } },
  },
  'a toolset that is searched': {
    toolsets: ['found'],
    direct: ['write'],
    at: { found: { ...LOOK, files__write: plain('write') } },
  },
  'a toolset without one of its tools': {
    toolsets: ['narrow', 'found'],
    denied: ['read'],
    direct: ['write'],
    at: {
      narrow: { files__write: { tool: 'write', path: '/etc', mode: undefined } },
      found: { files__write: plain('write') },
    },
  },
  'a server and a toolset of another': {
    servers: ['other'],
    toolsets: ['narrow'],
    direct: ['secret'],
    emptyAt: ['files'],
    at: { narrow: { ...LOOK, files__write: { tool: 'write', path: '/etc', mode: undefined } } },
  },
  'a toolset of two servers, with a key for one': {
    toolsets: ['foreign'],
    keyOn: ['other'],
    direct: ['secret'],
    at: { foreign: { other__secret: plain('secret') } },
  },
};

const PLACES = [
  '',
  '/servers/files',
  '/servers/other',
  '/toolsets/narrow',
  '/toolsets/reading',
  '/toolsets/found',
  '/toolsets/foreign',
  RUN_ROUTE,
];

/** What a row offers at a place; undefined when the place does not exist for it. */
const expectedAt = ({ direct, emptyAt = [], at = {} }: Row, place: string): Offer | undefined => {
  if (place === '') return offers(direct, prefixed);
  if (place === RUN_ROUTE) return { ...offers(direct, prefixed), ...offers(direct, (tool) => tool) };
  const [, kind, name = ''] = place.split('/');
  if (kind === 'toolsets') return at[name];
  const here = direct.filter((tool) => serverOf(tool) === name);
  const exists = here.length > 0 || emptyAt.some((server) => server === name);
  return !exists ? undefined : offers(here, (tool) => tool);
};

const giveTo = async (title: string, row: Row): Promise<Holder> => {
  const ids = <Name extends string>(names: readonly Name[] | undefined, idOf: (name: Name) => string | undefined) =>
    (names ?? []).map((name) => idOf(name));
  const rights = {
    server_ids: ids(row.servers, (name) => stage.serverIds[name]),
    allow_tool_ids: ids(row.tools, (name) => stage.toolIds.get(name)),
    deny_tool_ids: ids(row.denied, (name) => stage.toolIds.get(name)),
    toolset_ids: ids(row.toolsets, (name) => stage.toolsetIds.get(name)),
  };
  const onKey = row.keyOn === undefined ? {} : { server_ids: ids(row.keyOn, (name) => stage.serverIds[name]) };
  return stage.agent(title.replaceAll(/\W+/gu, '-'), rights, onKey);
};

/** Where nothing exists, the name makes no difference. */
const namesFor = (offer: Offer | undefined): readonly string[] => {
  if (offer === undefined) return ['read', 'files__read', 'look', 'secret', 'other__secret'];
  return Object.keys(offer).length === 0 ? NAMES : [...NAMES, ...MISSPELT];
};

/** Calls every name in one way, and says what came of each at the servers. */
const ranBy = async (
  way: Way,
  caller: Caller,
  place: string,
  names: readonly string[],
): Promise<Readonly<Record<string, readonly Ran[]>> | undefined> => {
  const nonces = new Map(names.map((name) => [name, randomUUID()]));
  const attempts = names.map((name): Attempt => ({ name, args: { ...ASKED, nonce: nonces.get(name) ?? '' } }));
  const exists = await way.call(caller, place, attempts);
  const ran = Object.fromEntries(
    names.flatMap((name) => {
      const found = stage.ran.get(nonces.get(name) ?? '');
      return found === undefined ? [] : [[name, found]];
    }),
  );
  return exists || Object.keys(ran).length > 0 ? ran : undefined;
};

/** Asks the agent, whose model calls everything that it is offered and every other name. What ran is told in any order. */
const ranByModel = async ({ hub, key, agentId }: Caller): Promise<readonly Ran[]> => {
  const model = { provider: 'openai', name: 'gpt-double', base_url: double.openaiUrl };
  const changed = await stage.admin('PATCH', `/v1/agents/${agentId}`, {
    variables: { OPENAI_API_KEY: DOUBLE_KEY },
    model,
  });
  expect(changed.status).toBe(200);
  const nonces: string[] = [];
  double.next(
    ({ tools }) => {
      const offered = tools.map(({ name }) => name);
      const names = [...new Set([...offered, ...NAMES, ...MISSPELT])];
      const asked = (): { readonly path: string; readonly mode: string; readonly nonce: string } => {
        const nonce = randomUUID();
        nonces.push(nonce);
        return { ...ASKED, nonce };
      };
      // A toolset that is searched offers a tool that calls the others.
      const wrapping = offered.filter((name) => name.endsWith('call_tool'));
      const toolCalls = [
        ...names.map((name) => ({ name, arguments: asked() })),
        ...wrapping.flatMap((tool) => names.map((name) => ({ name: tool, arguments: { name, arguments: asked() } }))),
      ];
      return { toolCalls };
    },
    { text: 'Done.' },
  );
  const messages = [{ role: 'user', content: 'Try everything.' }];
  const answered = await hubCallWith(hub, key)('POST', '/v1/chat/completions', { model: agentId, messages });
  expect([answered.status, JSON.stringify(answered.json)]).toEqual([200, expect.stringContaining('Done.')]);
  expect(nonces.length).toBeGreaterThanOrEqual(NAMES.length);
  return nonces.flatMap((nonce) => stage.ran.get(nonce) ?? []);
};

const inOrder = (ran: readonly Ran[]): readonly string[] =>
  ran.map(({ tool, path, mode }) => JSON.stringify([tool, path, mode])).toSorted();

describe.each(Object.entries(ROWS))('an agent that was given %s', (title, row) => {
  let caller: Caller;
  beforeAll(async () => {
    const { agent, key } = await giveTo(title, row);
    caller = { hub: stage.hub.url, key: key.key, agentId: agent.id };
  });

  it.each(PLACES)(
    'runs what that is and nothing else at "%s", whichever way it calls',
    { timeout: 60_000 },
    async (place) => {
      const offer = expectedAt(row, place);
      const names = namesFor(offer);
      const once = offer && Object.fromEntries(Object.entries(offer).map(([name, ran]) => [name, [ran]]));
      for (const way of [...WAYS, RUN_WAY].filter(({ isAt }) => isAt(place))) {
        const wraps = way.title === 'call_tool' && place !== '/toolsets/found';
        expect([way.title, await ranBy(way, caller, place, names)]).toEqual([
          way.title,
          wraps && once !== undefined ? {} : once,
        ]);
      }
    },
  );

  it('runs that and nothing else when its model calls', { timeout: 60_000 }, async () => {
    const offered = [row.direct.map(plain), ...Object.values(row.at ?? {}).map((offer) => Object.values(offer))].flat();
    expect(inOrder(await ranByModel(caller))).toEqual(inOrder(offered));
  });
});
