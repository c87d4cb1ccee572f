import { jsonSize } from '@plugboard/contract';
import { isJsonObject } from '@plugboard/wire';
import { McpProtocolError } from '../error/error-family.js';

/** Longer lists are rejected: a server that never ends its list would fill the memory. */
const MAX_PAGES = 1000;
const MAX_ITEMS = 20_000;
const MAX_CHARS = 32 * 1024 * 1024;

const broken = (method: string, what: string): McpProtocolError =>
  new McpProtocolError('UPSTREAM_PROTOCOL', `The server answered ${method} with ${what}.`, {
    hint: 'The author of the server must correct the list.',
    delivery: 'answered',
  });

/** All pages of a list, in order. A repeated cursor is an error: it would never end. */
export const listPages = async (
  method: string,
  member: string,
  ask: (params: { readonly cursor: string } | undefined) => Promise<unknown>,
): Promise<readonly unknown[]> => {
  const items: unknown[] = [];
  const seen = new Set<string>();
  let chars = 0;
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const result = await ask(cursor === undefined ? undefined : { cursor });
    const found = isJsonObject(result) ? result[member] : undefined;
    if (!isJsonObject(result) || !Array.isArray(found)) throw broken(method, `something that has no list of ${member}`);
    chars += jsonSize(found, MAX_CHARS - chars);
    if (chars > MAX_CHARS) throw broken(method, `more than ${MAX_CHARS / 1024 / 1024} MiB of ${member}`);
    if (items.length + found.length > MAX_ITEMS) throw broken(method, `more than ${MAX_ITEMS} ${member}`);
    for (const item of found) {
      items.push(item);
    }
    const next = result['nextCursor'];
    if (typeof next !== 'string' || next === '') return items;
    if (seen.has(next)) throw broken(method, 'the same cursor twice');
    seen.add(next);
    cursor = next;
  }
  throw broken(method, `more than ${MAX_PAGES} pages`);
};
