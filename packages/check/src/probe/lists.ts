import { at, isObject, listAt, type JsonObject } from '../connection/json.js';
import { Unreachable } from '../connection/no-answer.js';
import { describe, type Answer } from '../session/answer.js';
import type { Session } from '../session/session.js';
import type { ListedTool } from '../calls/tool.js';

const MAX_PAGES = 200;

type OnRefusal = (method: string, answer: Answer) => void;

const readPages = async (session: Session, method: string, key: string, onRefusal: OnRefusal) => {
  const elements: JsonObject[] = [];
  const seen = new Set<unknown>();
  let cursor: unknown;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const answer = await session.request(method, cursor === undefined ? undefined : { cursor });
    if (answer.result === undefined) onRefusal(method, answer);
    elements.push(...listAt(answer.result, key).filter(isObject));
    cursor = at(answer.result, 'nextCursor');
    if (typeof cursor !== 'string' || seen.has(cursor)) break;
    seen.add(cursor);
  }
  return elements;
};

/** Every element of a list, page after page; empty when the server refuses it. */
export const readList = (session: Session, method: string, key: string): Promise<readonly JsonObject[]> =>
  readPages(session, method, key, () => undefined);

const isUnknown: OnRefusal = (method, answer) => {
  throw new Unreachable(`${method} came back with ${describe(answer)}.`, `a server that answers ${method}`);
};

/** The same, to be compared with another reading: what was not read to its end is not known. */
export const readWholeList = (session: Session, method: string, key: string): Promise<readonly JsonObject[]> =>
  readPages(session, method, key, isUnknown);

export const toListedTool = (definition: JsonObject): ListedTool => ({
  name: String(definition['name']),
  inputSchema: definition['inputSchema'],
  outputSchema: definition['outputSchema'],
  annotations: isObject(definition['annotations']) ? definition['annotations'] : {},
  definition,
});
