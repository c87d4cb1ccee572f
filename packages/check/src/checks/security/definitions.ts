import { isObject, show, type JsonObject } from '../../connection/json.js';
import { ALL_TRANSPORTS, BOTH_ERAS, defineCheck } from '../../model/check.js';
import { holds } from '../../model/finding.js';
import { readList } from '../../probe/lists.js';
import type { Exchange } from '../../session/exchange.js';
import { exercise } from '../instrument/exercise.js';
import { inBoth } from '../instrument/in-both.js';
import { judged, judgedList, type Flaw } from '../instrument/judge.js';
import { spec } from '../instrument/spec.js';
import { alike, changesThings, toxicFlows } from './tool-words.js';

const security = {
  family: 'security',
  eras: BOTH_ERAS,
  transports: ALL_TRANSPORTS,
  needs: 'tools',
  tier: 'standard',
} as const;

const TRUST = inBoth(
  'server/tools#tool',
  'clients MUST consider tool annotations to be untrusted unless they come from trusted servers',
);

export const noLookalikes = defineCheck({
  ...security,
  id: 'SEC-15',
  title: 'no tool imitates another with a name that looks the same',
  level: 'ADVICE',
  source: TRUST,
  remedy: 'Give tools names that differ in more than case, separators and look-alike characters.',
  async run(probe) {
    const pairs = alike((await probe.tools()).map(({ name }) => name));
    const details = pairs.map(([one, other]) => `${one} and ${other} look the same.`);
    return await judgedList(probe, 'tools/list', details, 'names that can be told apart');
  },
});

const identities = [
  { name: 'claude-ai', version: '0.1.0' },
  { name: 'cursor-vscode', version: '1.0.0' },
];

export const sameForEveryClient = defineCheck({
  ...security,
  id: 'SEC-16',
  title: 'tools have the same description for every client and on every connection',
  level: 'SHOULD',
  legacyLevel: 'ADVICE',
  source: spec(
    '2026-07-28',
    'server/tools#capabilities',
    'Servers SHOULD return tools in a deterministic order (i.e., the same ordering across requests when the underlying set of tools has not changed).',
  ),
  remedy: 'Make definitions independent of the client; if they must differ, let authorization decide.',
  async run(probe) {
    const listed: { readonly tools: readonly JsonObject[]; readonly exchange: Exchange }[] = [];
    for (const clientInfo of identities) {
      const session = await probe.open({ clientInfo });
      const tools = await readList(session, 'tools/list', 'tools');
      listed.push({ tools, exchange: session.opening.exchange });
    }
    const [first, second] = listed.map(
      ({ tools }) => new Map(tools.map((tool) => [String(tool['name']), JSON.stringify(tool)])),
    );
    const names = [...new Set([...(first?.keys() ?? []), ...(second?.keys() ?? [])])];
    const flaws: readonly Flaw[] = names
      .filter((name) => first?.get(name) !== second?.get(name))
      .map((name) => ({ detail: `${name} is described differently to two clients.`, exchange: listed[1]?.exchange }));
    return judged(flaws, 'the same definitions');
  },
});

export const noToxicFlow = defineCheck({
  ...security,
  id: 'SEC-17',
  title: 'no set of tools combines untrusted input, private data, and sending or destroying',
  level: 'ADVICE',
  source: TRUST,
  remedy: 'Offer such tools on separate servers, so that clients can decide which of them to combine.',
  async run(probe) {
    const flow = toxicFlows(await probe.tools());
    if (flow === undefined) return holds();
    const { untrusted, sensitive, harmful } = flow;
    const detail = `${untrusted} reads untrusted input, ${sensitive} reads private data, ${harmful} sends or destroys.`;
    return await judgedList(probe, 'tools/list', [detail], 'at most two of the three on one server');
  },
});

export const honestHints = defineCheck({
  ...security,
  id: 'SEC-19',
  title: 'no tool annotated as read-only has a name that suggests changes',
  level: 'SHOULD',
  source: inBoth('schema#toolannotations-readonlyhint', 'If true, the tool does not modify its environment.'),
  remedy: 'Set readOnlyHint only where the tool changes nothing, or give the tool another name.',
  async run(probe) {
    const liars = (await probe.tools()).filter(
      (tool) => tool.annotations['readOnlyHint'] === true && changesThings(tool),
    );
    const details = liars.map(({ name }) => `${name} has readOnlyHint: true.`);
    return await judgedList(probe, 'tools/list', details, 'readOnlyHint: false');
  },
});

const UNSAFE = /^\s*(?:javascript|vbscript|data:text\/html|data:image\/svg\+xml[^,]*,.*script)/iu;

/** Addresses and pictures that a client would open or show. */
const addressesIn = (value: unknown, found: string[] = []): readonly string[] => {
  if (Array.isArray(value)) {
    for (const item of value) addressesIn(item, found);
  } else if (isObject(value)) {
    for (const [name, inner] of Object.entries(value)) {
      if (typeof inner === 'string' && /^(?:uri|url|src|href|websiteUrl)$/u.test(name)) found.push(inner);
      else addressesIn(inner, found);
    }
  }
  return found;
};

const decoded = (address: string): string =>
  /^data:[^,]*;base64,/iu.test(address)
    ? address.replace(/;base64,.*$/su, '') +
      ',' +
      Buffer.from(address.replace(/^[^,]*,/u, ''), 'base64').toString('latin1')
    : address;

export const safeAddresses = defineCheck({
  ...security,
  id: 'SEC-26',
  title: 'no link, page or icon contains a script',
  level: 'SHOULD',
  source: inBoth(
    'basic/index#icons',
    'Clients MUST reject icon URIs that use unsafe schemes and redirects, such as javascript:, file:, ftp:, ws:, or local app URI schemes.',
  ),
  remedy: 'Use https addresses, and pictures without scripts.',
  async run(probe) {
    const results = (await exercise(probe)).map(({ tool, answer }) => ({
      where: tool.name,
      value: answer?.result,
      exchange: answer?.exchange,
    }));
    const tools = (await probe.tools()).map(({ name, definition }) => ({
      where: name,
      value: definition,
      exchange: undefined,
    }));
    const flaws = [...tools, ...results].flatMap(({ where, value, exchange }) =>
      addressesIn(value)
        .filter((address) => UNSAFE.test(decoded(address)))
        .map((address) => ({ detail: `${where}: ${show(address)}.`, exchange })),
    );
    return judged(flaws, 'https addresses');
  },
});
