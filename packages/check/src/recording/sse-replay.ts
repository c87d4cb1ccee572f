import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { JsonObject } from '../connection/json.js';
import type { Replayer } from './replayer.js';

export const SSE_PATH = '/sse';
const MESSAGES_PATH = '/messages';
/** More conversations at once are refused. */
const MOST = 256;

/** Serves a recording over HTTP+SSE: answers leave on the stream of the conversation that asked. */
export class SseReplay {
  readonly #replayer: Replayer;
  readonly #streams = new Map<string, ServerResponse>();

  constructor(replayer: Replayer) {
    this.#replayer = replayer;
  }

  /** Opens a conversation; false when there are too many. */
  open(response: ServerResponse): boolean {
    if (this.#streams.size >= MOST) return false;
    const session = randomUUID();
    this.#streams.set(session, response);
    response.once('close', () => this.#streams.delete(session));
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    response.write(`event: endpoint\ndata: ${MESSAGES_PATH}?session=${session}\n\n`);
    return true;
  }

  /** The conversation that a request belongs to; undefined when the request is not one of HTTP+SSE. */
  conversation(url: string): ((message: JsonObject) => void) | undefined {
    const { pathname, searchParams } = new URL(url, 'http://127.0.0.1');
    const stream = pathname === MESSAGES_PATH ? this.#streams.get(searchParams.get('session') ?? '') : undefined;
    if (stream === undefined) return undefined;
    return (message) => {
      const answer = this.#replayer.answer(message);
      if (answer !== undefined) stream.write(`event: message\ndata: ${JSON.stringify(answer)}\n\n`);
    };
  }
}
