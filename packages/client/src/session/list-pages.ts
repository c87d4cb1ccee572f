import { isJsonObject } from '@plugboard/wire';
import { McpProtocolError } from '../error/error-family.js';

const MAX_PAGES = 10_000;

const broken = (method: string, what: string): McpProtocolError =>
  new McpProtocolError('UPSTREAM_PROTOCOL', `The server answered ${method} with ${what}.`, { delivery: 'answered' });

/** Every page of a list, in order. A cursor that comes back would never end, so it is an error. */
export const listPages = async (
  method: string,
  member: string,
  ask: (params: { readonly cursor: string } | undefined) => Promise<unknown>,
): Promise<readonly unknown[]> => {
  const items: unknown[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const result = await ask(cursor === undefined ? undefined : { cursor });
    const found = isJsonObject(result) ? result[member] : undefined;
    if (!isJsonObject(result) || !Array.isArray(found)) {
      throw broken(method, `something that has no list of ${member}`);
    }
    for (const item of found) {
      items.push(item);
    }
    const next = result['nextCursor'];
    if (typeof next !== 'string' || next === '') {
      return items;
    }
    if (seen.has(next)) {
      throw broken(method, 'the same cursor twice');
    }
    seen.add(next);
    cursor = next;
  }
  throw broken(method, `more than ${MAX_PAGES} pages`);
};
