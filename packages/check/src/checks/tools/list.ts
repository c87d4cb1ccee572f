import { at, listAt } from '../../connection/json.js';
import { ALL_TRANSPORTS, MODERN_TRANSPORTS, defineCheck } from '../../model/check.js';
import { broken, holds, notVerified } from '../../model/finding.js';
import { readWholeList } from '../../probe/lists.js';
import type { Probe } from '../../probe/probe.js';
import { HINTS, hintFlaws } from '../instrument/caching.js';
import { exercise, responsive, tryCall } from '../instrument/exercise.js';
import { judged, NOTHING_CALLABLE } from '../instrument/judge.js';
import { spec } from '../instrument/spec.js';

const modern = { family: 'tools', eras: ['modern'], transports: MODERN_TRANSPORTS, needs: 'tools' } as const;

const names = async (probe: Probe, own = true): Promise<readonly string[]> => {
  const session = own ? await probe.open() : probe.session();
  return (await readWholeList(session, 'tools/list', 'tools')).map((tool) => String(tool['name']));
};

const differ = (one: readonly string[], other: readonly string[]): boolean => one.join('\n') !== other.join('\n');

export const stableOrder = defineCheck({
  ...modern,
  id: 'TOL-05',
  title: 'tools are always listed in the same order',
  level: 'SHOULD',
  tier: 'standard',
  source: spec(
    '2026-07-28',
    'server/tools#capabilities',
    'Servers SHOULD return tools in a deterministic order (i.e., the same ordering across requests when the underlying set of tools has not changed).',
  ),
  remedy: 'Sort the tools, or list them in the order of their definition.',
  async run(probe) {
    const first = await names(probe, false);
    const again = [await names(probe, false), await names(probe, false)];
    const { exchange } = await probe.session().request('tools/list');
    const other = again.find((list) => differ(list, first) && !differ(list.toSorted(), first.toSorted()));
    const flaws =
      other === undefined ? [] : [{ detail: `First ${first.join(', ')}; then ${other.join(', ')}.`, exchange }];
    return judged(flaws, 'the same order');
  },
});

export const sameList = defineCheck({
  ...modern,
  id: 'TOL-06',
  inSequence: true,
  title: 'the list of tools depends neither on the connection nor on earlier calls',
  level: 'MUST',
  tier: 'standard',
  source: spec(
    '2026-07-28',
    'server/tools#capabilities',
    'This set MAY be empty and MAY change over time (see List Changed Notification), but MUST NOT vary per-connection or as a side effect of other requests on the connection.',
  ),
  remedy: 'Compute the list only from the request and its credentials.',
  async run(probe) {
    const before = (await names(probe)).toSorted();
    // The control: without calls, the list stays as it is.
    if (differ(before, (await names(probe)).toSorted())) {
      return notVerified(
        'The list of tools changes while nothing is called.',
        'a server whose tools do not change within a minute',
      );
    }
    await exercise(probe);
    const session = await probe.open();
    const [tool] = await responsive(probe);
    if (tool !== undefined) await tryCall(probe, session, { tool, args: tool.arguments[0] ?? {} });
    const after = (await readWholeList(session, 'tools/list', 'tools')).map((tool) => String(tool['name'])).toSorted();
    const { exchange } = await session.request('tools/list');
    const missing = before.filter((name) => !after.includes(name));
    const added = after.filter((name) => !before.includes(name));
    const again = (await names(probe)).toSorted();
    const expected = 'the same tools on every connection';
    if (differ(after, again)) return broken({ detail: 'Two connections see different tools.', expected, exchange });
    if (missing.length + added.length === 0) return holds();
    // The list was another one twice, on two connections. It may stay so, and then nothing changes at a second try.
    const detail = `After other requests ${[...missing, ...added].join(', ')} appeared or disappeared.`;
    return broken({ detail, expected, exchange, lasts: true });
  },
});

export const toolsCacheHints = defineCheck({
  ...modern,
  id: 'TOL-21',
  title: 'tools/list and server/discover state how long they may be cached, and by whom',
  level: 'MUST',
  tier: 'smoke',
  source: spec(
    '2026-07-28',
    'server/utilities/caching#cacheable-results',
    'Servers MUST include caching hints on results with resultType: "complete" returned by the following operations: server/discover tools/list […]',
  ),
  remedy: 'Put ttlMs (0 when in doubt) and cacheScope ("private" when in doubt) into the result.',
  async run(probe) {
    const session = probe.session();
    const answers = [session.opening, await session.request('tools/list')];
    const flaws = answers.flatMap((answer) =>
      hintFlaws(answer).map((detail) => ({
        detail: `${String(answer.request['method'])}: ${detail}`,
        exchange: answer.exchange,
      })),
    );
    return judged(flaws, HINTS);
  },
});

const MAX_CHARACTERS = 100_000;

export const moderateResults = defineCheck({
  family: 'tools',
  eras: ['legacy', 'modern'],
  transports: ALL_TRANSPORTS,
  needs: 'tools',
  id: 'TOL-22',
  title: 'results stay below 25,000 tokens, or declare that they are larger',
  level: 'ADVICE',
  tier: 'standard',
  source: {
    sentence:
      'Claude Code refuses or spills results of more than 25,000 tokens unless the tool declares a larger size.',
    url: 'https://github.com/anthropics/claude-code/issues/45766',
  },
  remedy: 'Page or shorten the result, or declare _meta["anthropic/maxResultSizeChars"].',
  async run(probe) {
    const called = await exercise(probe);
    if (called.length === 0) return NOTHING_CALLABLE;
    const flaws = called.flatMap(({ tool, answer }) => {
      const size = JSON.stringify(listAt(answer?.result, 'content')).length;
      const declared = at(tool.definition, '_meta', 'anthropic/maxResultSizeChars');
      const most = typeof declared === 'number' ? declared : MAX_CHARACTERS;
      return size > most
        ? [{ detail: `${tool.name} answered with ${size} characters.`, exchange: answer?.exchange }]
        : [];
    });
    return judged(flaws, `at most ${MAX_CHARACTERS} characters`);
  },
});
