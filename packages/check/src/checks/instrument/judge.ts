import { at } from '../../connection/json.js';
import type { Probe } from '../../probe/probe.js';
import { broken, doubtful, holds, notVerified, type Finding } from '../../model/finding.js';
import type { Exchange } from '../../session/exchange.js';
import type { Observation } from '../../session/observations.js';

/** Something that is wrong, and the exchange in which it showed. */
export interface Flaw {
  readonly detail: string;
  readonly exchange?: Exchange | undefined;
  /** The message that shows it, for a check that looks back. */
  readonly observation?: Observation | undefined;
  /** The cited sentence does not demand this much: alone, it is worth a warning. */
  readonly beyond?: boolean | undefined;
}

const MAX_SHOWN = 3;

const summed = (flaws: readonly Flaw[]): string => {
  const shown = flaws.slice(0, MAX_SHOWN).map(({ detail }) => detail);
  const more = flaws.length - shown.length;
  return [...shown, ...(more > 0 ? [`${more} more of this kind.`] : [])].join(' ');
};

const observedIn = (flaws: readonly Flaw[]): readonly Observation[] | undefined => {
  const observed = flaws.flatMap(({ observation }) => (observation === undefined ? [] : [observation]));
  return observed.length === 0 ? undefined : observed;
};

/** Holds when nothing is wrong; otherwise the first few flaws in one finding, those of the cited sentence if there are any. */
export const judged = (flaws: readonly Flaw[], expected: string, detail?: string): Finding => {
  const grave = flaws.filter(({ beyond }) => beyond !== true);
  const told = grave.length > 0 ? grave : flaws;
  if (told.length === 0) return holds(detail);
  const evidence = { detail: summed(told), expected, exchange: told.find(({ exchange }) => exchange)?.exchange };
  return grave.length > 0 ? broken({ ...evidence, observed: observedIn(grave) }) : doubtful(evidence);
};

const MAX_PAGES = 20;

/** The last page of a list that holds something which the text names; the first page if none does. */
const pageNaming = async (probe: Probe, method: string, text: string): Promise<Exchange> => {
  const session = probe.session();
  const first = await session.request(method);
  let found: Exchange | undefined;
  let page = first;
  for (let count = 0; count < MAX_PAGES; count += 1) {
    const items = Object.values(page.result ?? {}).flatMap((value: unknown) => (Array.isArray(value) ? value : []));
    const names = items.flatMap((item: unknown) => [at(item, 'name'), at(item, 'uri'), at(item, 'uriTemplate')]);
    if (names.some((name) => typeof name === 'string' && name !== '' && text.includes(name))) found = page.exchange;
    const cursor = at(page.result, 'nextCursor');
    if (typeof cursor !== 'string') break;
    page = await session.request(method, { cursor });
  }
  return found ?? first.exchange;
};

/** The same for flaws of listed definitions, in words: the list is asked for again, to have it as evidence. */
export const judgedList = async (
  probe: Probe,
  method: string,
  details: readonly (string | Pick<Flaw, 'detail' | 'beyond'>)[],
  expected: string,
): Promise<Finding> => {
  const flaws = details.map((detail): Flaw => (typeof detail === 'string' ? { detail } : detail));
  const [first] = flaws.filter(({ beyond }) => beyond !== true).concat(flaws);
  if (first === undefined) return holds();
  const exchange = await pageNaming(probe, method, first.detail);
  return judged(
    flaws.map((flaw) => ({ ...flaw, exchange })),
    expected,
  );
};

export const NOTHING_SUCCESSFUL = notVerified(
  'No tool that may be called returned a result.',
  'a tool that works, with arguments it takes: --allow \'name={"key":"value"}\'',
);

export const NOTHING_CALLABLE = notVerified('No tool may be called.', 'a tool that may be called: --allow name');
