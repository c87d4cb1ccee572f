import { jsonSize } from '@plugboard/contract';
import { isJsonObject } from '@plugboard/wire';
import { McpProtocolError } from '../error/error-family.js';

/** A list as long as this is no list that anybody could use; a server that never ends would fill the memory. */
const MAX_PAGES = 1000;
const MAX_ITEMS = 20_000;
const MAX_CHARS = 32 * 1024 * 1024;

const broken = (method: string, what: string): McpProtocolError =>
  new McpProtocolError('UPSTREAM_PROTOCOL', `The server answered ${method} with ${what}.`, {
    hint: 'The author of the server has to correct the list.',
    delivery: 'answered',
  });

/** Every page of a list, in order. A cursor that comes back would never end, so it is an error. */
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
    if (!isJsonObject(result) || !Array.isArray(found)) {
      throw broken(method, `something that has no list of ${member}`);
    }
    chars += jsonSize(found, MAX_CHARS - chars);
    if (chars > MAX_CHARS) throw broken(method, `more than ${MAX_CHARS / 1024 / 1024} MiB of ${member}`);
    if (items.length + found.length > MAX_ITEMS) throw broken(method, `more than ${MAX_ITEMS} ${member}`);
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
