import type { PageQuery } from '@plugboard/contract';
import type { Context } from 'hono';
import { z } from 'zod';
import type { Operation } from './operation.js';

interface Entry {
  readonly id: string;
}
type Source<T> = (page: PageQuery) => Promise<readonly T[]>;

const CHUNK = 500;

/** Every entry, however many pages there are. */
export const allPages = async <T extends Entry>(source: Source<T>, after?: string): Promise<readonly T[]> => {
  const found: T[] = [];
  let cursor = after;
  for (;;) {
    const page = await source({ limit: CHUNK, ...(cursor === undefined ? {} : { after: cursor }) });
    found.push(...page);
    cursor = page.at(-1)?.id;
    if (page.length < CHUNK || cursor === undefined) return found;
  }
};

interface Page<T> {
  readonly entries: readonly T[];
  readonly hasMore: boolean;
}

/** One page of the entries that fit, read in chunks so that a rare match does not make a short page. */
export const pageOf = async <T extends Entry>(
  source: Source<T>,
  { limit, after }: PageQuery,
  fits: (entry: T) => boolean = () => true,
): Promise<Page<T>> => {
  if (limit === undefined) return { entries: (await allPages(source, after)).filter(fits), hasMore: false };
  // One more than asked for tells whether there is a next page.
  const size = Math.min(CHUNK, limit + 1);
  const found: T[] = [];
  let cursor = after;
  for (;;) {
    const chunk = await source({ limit: size, ...(cursor === undefined ? {} : { after: cursor }) });
    found.push(...chunk.filter(fits));
    cursor = chunk.at(-1)?.id;
    if (found.length > limit) return { entries: found.slice(0, limit), hasMore: true };
    if (chunk.length < size || cursor === undefined) return { entries: found, hasMore: false };
  }
};

/** The same for a list that is at hand, from its first entry on. */
export const pageOfList = <T extends Entry>(
  list: readonly T[],
  limit: number,
  fits: (entry: T) => boolean,
): Page<T> => {
  const found: T[] = [];
  for (const entry of list) {
    if (!fits(entry)) continue;
    if (found.length === limit) return { entries: found, hasMore: true };
    found.push(entry);
  }
  return { entries: found, hasMore: false };
};

/** What a route that answers with `answerPage` declares. */
export const pagedAnswer = (description: string, entry: z.ZodType): Operation['answers'] => ({
  200: {
    description,
    schema: z.array(entry),
    headers: {
      Link: 'The URL of the next page, if there is one.',
      'X-Next-After': 'The value of `after` for the next page.',
    },
  },
});

/** The body is the plain array that Letta's clients expect, so headers tell where the next page is. */
export const answerPage = <T extends Entry>(
  c: Context,
  { entries, hasMore }: Page<T>,
  view: (entry: T) => unknown = (entry) => entry,
): Response => {
  const last = entries.at(-1)?.id;
  if (hasMore && last !== undefined) {
    const url = new URL(c.req.url);
    url.searchParams.set('after', last);
    c.header('X-Next-After', last);
    c.header('Link', `<${url.pathname}${url.search}>; rel="next"`);
  }
  return c.json(entries.map(view));
};
