import { at, isObject, listAt, show, type JsonObject } from '../../connection/json.js';
import { ALL_TRANSPORTS, BOTH_ERAS, MODERN_TRANSPORTS, defineCheck } from '../../model/check.js';
import { declares, type Capability } from '../../model/capability.js';
import { notVerified } from '../../model/finding.js';
import type { Probe } from '../../probe/probe.js';
import { describe, type Answer } from '../../session/answer.js';
import type { Exchange } from '../../session/exchange.js';
import { inBoth } from '../instrument/in-both.js';
import { judged, type Flaw } from '../instrument/judge.js';
import { spec } from '../instrument/spec.js';
import { isTrouble } from '../instrument/server-down.js';

const pagination = { family: 'pagination', eras: BOTH_ERAS, transports: ALL_TRANSPORTS } as const;
const MAX_PAGES = 500;

interface List {
  readonly method: string;
  readonly key: string;
  readonly id: string;
  readonly needs: Capability;
}

const LISTS: readonly List[] = [
  { method: 'tools/list', key: 'tools', id: 'name', needs: 'tools' },
  { method: 'resources/list', key: 'resources', id: 'uri', needs: 'resources' },
  { method: 'resources/templates/list', key: 'resourceTemplates', id: 'uriTemplate', needs: 'resources' },
  { method: 'prompts/list', key: 'prompts', id: 'name', needs: 'prompts' },
];

const offered = (probe: Probe): readonly List[] =>
  LISTS.filter(({ needs }) => declares(probe.session().capabilities, needs));

interface Walk {
  readonly list: List;
  readonly pages: readonly Answer[];
  readonly ids: readonly string[];
  readonly cursors: readonly string[];
  /** Why it was given up. */
  readonly endless: string | undefined;
}

const MAX_TRIES = 3;

/** An internal error may pass: only a cursor that leads to one each time does so for its own sake. */
const readPage = async (probe: Probe, { method }: List, cursor: unknown): Promise<Answer> => {
  const ask = () => probe.session().request(method, cursor === undefined ? undefined : { cursor });
  let page = await ask();
  for (let tries = 1; tries < MAX_TRIES && isTrouble(page); tries += 1) page = await ask();
  return page;
};

const walkList = async (probe: Probe, list: List): Promise<Walk> => {
  const pages: Answer[] = [];
  const ids: string[] = [];
  const cursors: string[] = [];
  let [cursor, endless]: [unknown, string | undefined] = [undefined, undefined];
  while (endless === undefined) {
    const page = await readPage(probe, list, cursor);
    pages.push(page);
    const elements = listAt(page.result, list.key).filter(isObject);
    ids.push(...elements.map((element: JsonObject) => String(element[list.id])));
    cursor = at(page.result, 'nextCursor');
    if (typeof cursor !== 'string') break;
    if (cursors.includes(cursor)) endless = `the cursor ${show(cursor)} came again`;
    if (pages.length >= MAX_PAGES) endless = `there was no last page within ${MAX_PAGES} pages`;
    cursors.push(cursor);
  }
  return { list, pages, ids, cursors, endless };
};

const walks = (probe: Probe): Promise<readonly Walk[]> =>
  probe.once('walks', async () => {
    const walked: Walk[] = [];
    for (const list of offered(probe)) walked.push(await walkList(probe, list));
    return walked;
  });

const lastExchange = ({ pages }: Walk): Exchange | undefined => pages.at(-1)?.exchange;
const NO_LISTS = notVerified('The server declares no lists.', 'a server with tools, resources or prompts');

export const walksEnd = defineCheck({
  ...pagination,
  id: 'PAG-01',
  title: 'following nextCursor ends, and returns every element once',
  level: 'MUST',
  tier: 'standard',
  source: inBoth(
    'schema#paginatedresult',
    'An opaque token representing the pagination position after the last returned result. If present, there may be more results available.',
  ),
  remedy: 'Omit nextCursor on the last page, and let each cursor lead to elements that were not listed yet.',
  async run(probe) {
    const walked = await walks(probe);
    if (walked.length === 0) return NO_LISTS;
    const flaws = walked.flatMap((walk): readonly Flaw[] => {
      const { list, ids, endless, cursors, pages } = walk;
      const exchange = lastExchange(walk);
      const failed = pages.find(({ result }) => result === undefined);
      const twice = cursors.length === 0 ? [] : ids.filter((id, index) => ids.indexOf(id) !== index);
      return [
        ...(endless === undefined ? [] : [{ detail: `${list.method}: ${endless}.`, exchange }]),
        ...(failed === undefined || pages.length === 1
          ? []
          : [
              { detail: `${list.method}: a cursor of the server gave ${describe(failed)}.`, exchange: failed.exchange },
            ]),
        ...(twice.length === 0 || endless !== undefined
          ? []
          : [{ detail: `${list.method}: ${show(twice[0])} is on two pages.`, exchange }]),
      ];
    });
    return judged(
      flaws,
      'pages that end, without repetition',
      walked.map(({ list, pages }) => `${list.method} ${pages.length}`).join(', '),
    );
  },
});

export const invalidCursor = defineCheck({
  ...pagination,
  id: 'PAG-02',
  title: 'a cursor that the server did not issue is rejected with -32602',
  level: 'SHOULD',
  tier: 'standard',
  source: inBoth(
    'server/utilities/pagination#error-handling',
    'Invalid cursors SHOULD result in an error with code -32602 (Invalid params).',
  ),
  remedy: 'Validate the cursor; answer with -32602. If you do not use pages, reject every cursor.',
  async run(probe) {
    const flaws: Flaw[] = [];
    const lists = offered(probe);
    if (lists.length === 0) return NO_LISTS;
    for (const { method } of lists) {
      const answer = await probe.session().request(method, { cursor: 'plugboard-no-such-cursor' });
      if (answer.error?.code !== -32602) {
        flaws.push({ detail: `${method} came back with ${describe(answer)}.`, exchange: answer.exchange });
      }
    }
    return judged(flaws, 'error -32602');
  },
});

export const foreignCursor = defineCheck({
  ...pagination,
  id: 'PAG-04',
  title: 'a cursor of one list is rejected by another',
  level: 'ADVICE',
  tier: 'full',
  source: inBoth(
    'server/utilities/pagination#error-handling',
    'Invalid cursors SHOULD result in an error with code -32602 (Invalid params).',
  ),
  remedy: 'Encode in the cursor which list it belongs to.',
  async run(probe) {
    const walked = await walks(probe);
    const paged = walked.find(({ cursors }) => cursors.length > 0);
    const other = walked.find(({ list }) => list.method !== paged?.list.method);
    if (paged === undefined || other === undefined) {
      return notVerified(
        'No two lists, one of them with pages.',
        'a server with two lists, one of them longer than a page',
      );
    }
    const answer = await probe.session().request(other.list.method, { cursor: paged.cursors[0] });
    const flaws =
      answer.error === undefined
        ? [{ detail: `${other.list.method} accepted a cursor of ${paged.list.method}.`, exchange: answer.exchange }]
        : [];
    return judged(flaws, 'error -32602');
  },
});

export const walksAgree = defineCheck({
  ...pagination,
  id: 'PAG-05',
  title: 'a cursor always leads to the same page, and a second pass finds the same elements',
  level: 'SHOULD',
  tier: 'standard',
  source: inBoth('server/utilities/pagination#implementation-guidelines', 'Servers SHOULD: Provide stable cursors […]'),
  remedy: 'Encode the position in the cursor instead of storing it in the server.',
  async run(probe) {
    const flaws: Flaw[] = [];
    const walked = await walks(probe);
    if (walked.length === 0) return NO_LISTS;
    for (const first of walked) {
      const second = await walkList(probe, first.list);
      const exchange = lastExchange(second);
      if (first.ids.toSorted().join('\n') !== second.ids.toSorted().join('\n')) {
        flaws.push({ detail: `${first.list.method}: the second walk found other elements.`, exchange });
      }
      const [cursor] = first.cursors;
      if (cursor === undefined) continue;
      const again = await probe.session().request(first.list.method, { cursor });
      const same =
        JSON.stringify(listAt(again.result, first.list.key)) ===
        JSON.stringify(listAt(first.pages[1]?.result, first.list.key));
      if (!same) {
        flaws.push({
          detail: `${first.list.method}: a cursor led elsewhere the second time.`,
          exchange: again.exchange,
        });
      }
    }
    return judged(flaws, 'the same elements');
  },
});

export const oneScope = defineCheck({
  ...pagination,
  id: 'PAG-06',
  eras: ['modern'],
  transports: MODERN_TRANSPORTS,
  title: 'all pages of a list have the same cacheScope',
  level: 'MUST',
  tier: 'standard',
  source: spec(
    '2026-07-28',
    'server/utilities/caching#interaction-with-pagination',
    'Servers MUST apply the same cacheScope to all response pages for a given list request.',
  ),
  remedy: 'Decide the cacheScope per list, not per page.',
  async run(probe) {
    const walked = await walks(probe);
    if (walked.length === 0) return NO_LISTS;
    const flaws = walked.flatMap((walk) => {
      const read = walk.pages.filter(({ result }) => result !== undefined);
      const scopes = [...new Set(read.map(({ result }) => show(at(result, 'cacheScope'))))];
      return scopes.length > 1
        ? [{ detail: `${walk.list.method} has pages of ${scopes.join(' and ')}.`, exchange: lastExchange(walk) }]
        : [];
    });
    return judged(flaws, 'one cacheScope per list');
  },
});

export const paginationChecks = [walksEnd, invalidCursor, foreignCursor, walksAgree, oneScope];
