import { at, listAt } from '../../connection/json.js';
import { enveloped, requestMessage } from '../../session/envelope.js';
import { mirroredHeaders } from '../../session/http-headers.js';
import type { Conversation } from '../call/conversation.js';
import type { Ground } from './ground.js';

const MAX_PAGES = 1_000;

interface Page {
  /** Tools so far. */
  readonly tools: number;
  /** Milliseconds since the first page was asked for. */
  readonly ms: number;
}

interface Reading {
  readonly pages: readonly Page[];
  readonly failure: string | undefined;
}

/** Reads the whole list of tools, one page after the other. */
export const readPages = async ({ era, deadlineMs, signal }: Ground, conversation: Conversation): Promise<Reading> => {
  const { line } = conversation;
  const pages: Page[] = [];
  const startedAt = performance.now();
  let [tools, cursor]: [number, unknown] = [0, undefined];
  while (pages.length < MAX_PAGES && !signal.aborted) {
    const params = enveloped(cursor === undefined ? undefined : { cursor }, { era, revision: line.revision }, {});
    const message = requestMessage(conversation.newId(), 'tools/list', params);
    const headers = era === 'modern' ? mirroredHeaders(message) : {};
    const sent = { id: Number(message['id']), text: JSON.stringify(message), headers };
    const arrival = await line.request(sent, deadlineMs);
    const result = arrival.kind === 'answer' ? at(arrival.message, 'result') : undefined;
    if (result === undefined) return { pages, failure: arrival.kind === 'failure' ? arrival.error : 'refused' };
    tools += listAt(result, 'tools').length;
    pages.push({ tools, ms: arrival.at - startedAt });
    cursor = at(result, 'nextCursor');
    if (typeof cursor !== 'string') break;
  }
  return { pages, failure: undefined };
};
