import type { CheckEra } from '@plugboard/contract';
import { isObject, tryJson, type JsonObject } from '../../connection/json.js';
import type { Link } from '../../session/link.js';
import { BASE_HEADERS, mirroredHeaders } from '../../session/http-headers.js';
import { agreedRevision, INITIALIZED, openingOf } from './handshake.js';
import { HttpHeads } from './http-head.js';
import { HttpPipe, type HttpOutcome } from './http-pipe.js';
import type { Arrival, LoadLine, OnStray, Sent } from './load-line.js';

const NOTHING: Sent['headers'] = {};
const CLOSE_MS = 2_000;

const failed = (error: string): Arrival => ({ kind: 'failure', at: performance.now(), error });

const isAnswer = (message: JsonObject): boolean => !('method' in message);

/** A caller over Streamable HTTP: a session and a connection of its own. */
export class HttpLine implements LoadLine {
  readonly era: CheckEra;
  readonly transport = 'streamable-http';
  readonly pid = undefined;
  readonly #pipe: HttpPipe;
  readonly #onStray: OnStray;
  #heads: HttpHeads;
  #sessionId: string | undefined;
  #revision = '';
  #surplusSeen = 0;

  constructor(link: Link, url: string, era: CheckEra, onStray: OnStray) {
    this.era = era;
    this.#onStray = onStray;
    this.#pipe = new HttpPipe(url, link.network);
    const own = link.place.transport === 'stdio' ? {} : link.place.headers;
    this.#heads = new HttpHeads(url, { ...BASE_HEADERS, ...own });
  }

  get revision(): string {
    return this.#revision;
  }

  async open(deadlineMs: number): Promise<this> {
    const first = openingOf(this.era, NOTHING);
    const headers = this.era === 'modern' ? mirroredHeaders(JSON.parse(first.text) as JsonObject) : {};
    const opening = await this.request({ ...first, headers }, deadlineMs);
    this.#revision = agreedRevision(this.era, opening);
    if (this.era === 'modern') return this;
    this.#heads = this.#heads.with({
      ...(this.#revision === '2024-11-05' ? {} : { 'mcp-protocol-version': this.#revision }),
      ...(this.#sessionId === undefined ? {} : { 'mcp-session-id': this.#sessionId }),
    });
    await this.#pipe.exchange({ head: this.#heads.post(NOTHING), body: INITIALIZED, deadlineMs });
    return this;
  }

  async request({ id, text, headers }: Sent, deadlineMs: number): Promise<Arrival> {
    let answer: Arrival | undefined;
    let firstAt: number | undefined;
    let surplus = 0;
    const notices: JsonObject[] = [];
    const outcome = await this.#pipe.exchange({
      head: this.#heads.post(headers),
      body: text,
      deadlineMs,
      onEvent: ({ data }) => {
        const at = performance.now();
        firstAt ??= at;
        const message = tryJson(data);
        if (!isObject(message)) return answer !== undefined;
        if (!isAnswer(message)) {
          notices.push(message);
        } else if (answer === undefined) {
          answer = { kind: 'answer', at, firstAt, message, text: data, notices, surplus: 0 };
        } else {
          surplus += 1;
        }
        return answer !== undefined;
      },
    });
    const arrival = answer ?? this.#plain(outcome, notices);
    if (this.#pipe.surplus > this.#surplusSeen) {
      this.#surplusSeen = this.#pipe.surplus;
      surplus += 1;
    }
    if (id === 0) this.#sessionId = outcome.head?.sessionId;
    return arrival.kind === 'answer' && surplus > 0 ? { ...arrival, surplus } : arrival;
  }

  async close(): Promise<void> {
    if (this.#sessionId !== undefined) {
      await this.#pipe.exchange({ head: this.#heads.delete(), body: '', deadlineMs: CLOSE_MS });
    }
    this.#pipe.close();
  }

  #plain({ head, text, failure }: HttpOutcome, notices: readonly JsonObject[]): Arrival {
    if (failure !== undefined) return failed(failure);
    if (head === undefined) return failed('no answer');
    for (const notice of notices) this.#onStray(notice);
    if (head.isStream) return failed('stream without an answer');
    const message = tryJson(text);
    if (isObject(message) && ('result' in message || 'error' in message)) {
      return { kind: 'answer', at: performance.now(), firstAt: undefined, message, text, notices: [], surplus: 0 };
    }
    return failed(head.status >= 400 ? `HTTP ${head.status}` : 'no JSON-RPC answer');
  }
}
