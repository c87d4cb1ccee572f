import { at, isObject, type JsonObject } from '../../connection/json.js';
import { ALL_TRANSPORTS, BOTH_ERAS, defineCheck, HTTP_ONLY } from '../../model/check.js';
import { broken, holds } from '../../model/finding.js';
import { readWholeList } from '../../probe/lists.js';
import { describe } from '../../session/answer.js';
import { spec } from '../instrument/spec.js';

export const interleaved = defineCheck({
  id: 'LIF-21',
  title: 'a server of both eras serves them in turn on one endpoint',
  family: 'lifecycle',
  eras: 'both',
  transports: HTTP_ONLY,
  level: 'SHOULD',
  tier: 'standard',
  source: spec(
    '2026-07-28',
    'basic/versioning#compatibility-matrix',
    'A request carrying modern per-request _meta is served statelessly according to this revision. An initialize request selects legacy semantics, scoped to the stdio process (stdio) or the session (HTTP)',
  ),
  remedy: 'Decide the era for each request separately; a modern request must not disturb a legacy session.',
  async run(probe) {
    const clientInfo = { name: 'plugboard-two-eras', version: '1.0.0' };
    const legacy = await probe.open({ era: 'legacy', clientInfo });
    const modern = await probe.open({ era: 'modern', unopened: true, clientInfo });
    for (const [session, method] of [
      [legacy, 'ping'],
      [modern, 'server/discover'],
      [legacy, 'ping'],
      [modern, 'server/discover'],
    ] as const) {
      const answer = await session.request(method);
      if (answer.result !== undefined) continue;
      return broken({
        detail: `With both eras in use, ${method} (${session.era}) came back with ${describe(answer)}.`,
        expected: 'a result in either era',
        exchange: answer.exchange,
      });
    }
    return holds();
  },
});

const MODERN_ONLY = ['resultType', 'ttlMs', 'cacheScope'];

export const noLeak = defineCheck({
  id: 'LIF-22',
  title: 'answers to a legacy client contain no members of the modern era',
  family: 'lifecycle',
  eras: ['legacy'],
  transports: ALL_TRANSPORTS,
  level: 'ADVICE',
  tier: 'standard',
  source: spec(
    '2026-07-28',
    'basic/versioning#compatibility-matrix',
    'The server answers initialize and serves the client according to the negotiated legacy revision.',
  ),
  remedy: 'Omit resultType, ttlMs and cacheScope from results of revisions that do not define them.',
  async run(probe) {
    const session = probe.session();
    const answers = [session.opening, await session.request('tools/list')];
    for (const { result, exchange } of answers) {
      const leaked = MODERN_ONLY.filter((name) => result !== undefined && name in result);
      if (leaked.length > 0) {
        return broken({ detail: `The result has ${leaked.join(', ')}.`, expected: 'none of them', exchange });
      }
    }
    return holds();
  },
});

const LISTS = [
  ['tools', 'tools/list', 'tools', 'name'],
  ['prompts', 'prompts/list', 'prompts', 'name'],
  ['resources', 'resources/list', 'resources', 'uri'],
] as const;

/** Members that one of the revisions does not know. */
const ONE_ERA_ONLY = new Set(['execution', '_meta']);

/** The same value with its members in one order, at every depth: that order means nothing. */
const ordered = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(ordered);
  if (!isObject(value)) return value;
  const members = Object.entries(value).toSorted(([one], [two]) => one.localeCompare(two));
  return Object.fromEntries(members.map(([name, inner]) => [name, ordered(inner)]));
};

const comparable = (element: JsonObject): string =>
  JSON.stringify(ordered(Object.fromEntries(Object.entries(element).filter(([name]) => !ONE_ERA_ONLY.has(name)))));

export const sameInBothEras = defineCheck({
  id: 'LIF-23',
  title: 'both eras offer the same tools, prompts and resources',
  family: 'lifecycle',
  eras: 'both',
  transports: ALL_TRANSPORTS,
  level: 'SHOULD',
  tier: 'standard',
  source: spec(
    '2026-07-28',
    'basic/versioning#backward-compatibility-with-initialization-based-versions',
    'A server that wishes to support both legacy clients […] and modern clients […] MAY implement both behaviors.',
  ),
  remedy: 'Derive the lists of both eras from one definition.',
  async run(probe) {
    const [legacy, modern] = [probe.session('legacy'), probe.session('modern')];
    for (const [capability, method, key, name] of LISTS) {
      if (!isObject(at(legacy.capabilities, capability)) && !isObject(at(modern.capabilities, capability))) continue;
      const [old, recent] = [await readWholeList(legacy, method, key), await readWholeList(modern, method, key)];
      const texts = new Set(recent.map(comparable));
      const different = old
        .filter((element) => !texts.has(comparable(element)))
        .map((element) => String(element[name]));
      if (old.length === recent.length && different.length === 0) continue;
      return broken({
        detail: `${method} has ${old.length} elements in the legacy era and ${recent.length} in the modern one; different: ${different.join(', ') || 'none'}.`,
        expected: 'the same definitions in both',
        exchange: (await modern.request(method)).exchange,
      });
    }
    return holds();
  },
});

export const coldStart = defineCheck({
  id: 'LIF-28',
  title: 'the first answer arrives within the budget for a cold start',
  family: 'lifecycle',
  eras: BOTH_ERAS,
  transports: ALL_TRANSPORTS,
  level: 'ADVICE',
  tier: 'standard',
  alone: true,
  source: spec(
    '2025-11-25',
    'basic/lifecycle#timeouts',
    'Implementations SHOULD establish timeouts for all sent requests, to prevent hung connections and resource exhaustion.',
  ),
  remedy: 'Answer the handshake first, and load slow parts when they are first used.',
  async run(probe) {
    const started = performance.now();
    const session = await probe.open({ fresh: true });
    // A busy machine slows starts down: the faster one shows what the server can do.
    const first = probe.session().opening.elapsedMs;
    const elapsed = Math.round(Math.min(first, performance.now() - started));
    const budget = probe.target.budgets.coldStartMs;
    if (elapsed <= budget) return holds(`${elapsed} ms`);
    return broken({
      detail: `It took ${elapsed} ms.`,
      expected: `at most ${budget} ms`,
      exchange: session.opening.exchange,
    });
  },
});
