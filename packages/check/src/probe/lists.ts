import { at, isObject, listAt, type JsonObject } from '../connection/json.js';
import type { Session } from '../session/session.js';
import type { ListedTool } from '../calls/tool.js';

const MAX_PAGES = 200;

/** Every element of a list, page after page; empty when the server refuses it. */
export const readList = async (session: Session, method: string, key: string): Promise<readonly JsonObject[]> => {
  const elements: JsonObject[] = [];
  const seen = new Set<unknown>();
  let cursor: unknown;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const { result } = await session.request(method, cursor === undefined ? undefined : { cursor });
    elements.push(...listAt(result, key).filter(isObject));
    cursor = at(result, 'nextCursor');
    if (typeof cursor !== 'string' || seen.has(cursor)) break;
    seen.add(cursor);
  }
  return elements;
};

export const toListedTool = (definition: JsonObject): ListedTool => ({
  name: String(definition['name']),
  inputSchema: definition['inputSchema'],
  outputSchema: definition['outputSchema'],
  annotations: isObject(definition['annotations']) ? definition['annotations'] : {},
  definition,
});
