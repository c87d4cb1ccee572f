import { madeOnce } from '@plugboard/base';
import type { IsolateJob, IsolateState, RunOutcome } from '../isolate/isolate-job.js';
import type { IsolateLimits } from '../isolate/isolate-limits.js';
import { PoolBusyError, type IsolatePool } from '../isolate/isolate-pool.js';
import { SandboxError } from '../sandbox-error.js';

const DEFINE = `(target, name, value) => Object.defineProperty(target, name, { value, writable: true, configurable: true })`;
const WITH_BUFFER = `(${DEFINE})(globalThis, 'Buffer', (await import('buffer')).Buffer);`;

/** `fetch` of the guest, where the server allows it: a question to the host, and an answer that is read at once. */
const GUEST_FETCH = String.raw`(function (callHost, define) {
  'use strict';
  const { parse, stringify } = JSON;
  const toBase64 = (bytes) => { let text = ''; for (const byte of bytes) text += String.fromCharCode(byte); return btoa(text); };
  const fromBase64 = (text) => { const raw = atob(text); const bytes = new Uint8Array(raw.length); for (let i = 0; i < raw.length; i += 1) bytes[i] = raw.charCodeAt(i); return bytes; };
  const bytesOf = (body) => {
    if (body === undefined || body === null) return undefined;
    if (body instanceof ArrayBuffer) return new Uint8Array(body);
    if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
    return new TextEncoder().encode(String(body));
  };
  class Response {
    #bytes;
    #used = false;
    constructor({ status, statusText, url, redirected, headers, body }) {
      this.#bytes = fromBase64(body);
      Object.assign(this, { status, statusText, url, redirected, ok: status >= 200 && status <= 299, headers: new Headers(headers) });
    }
    get bodyUsed() { return this.#used; }
    async bytes() {
      if (this.#used) throw new TypeError('The body has already been read.');
      this.#used = true;
      return this.#bytes;
    }
    async arrayBuffer() { return (await this.bytes()).buffer; }
    async text() { return new TextDecoder().decode(await this.bytes()); }
    async json() { return parse(await this.text()); }
  }
  define(globalThis, 'fetch', async (url, init = {}) => {
    const { method = 'GET', headers = {}, body, redirect = 'follow' } = init;
    const bytes = bytesOf(body);
    const implied = body instanceof URLSearchParams ? { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' } : typeof body === 'string' ? { 'content-type': 'text/plain;charset=UTF-8' } : {};
    const sent = new Headers({ ...implied, ...Object.fromEntries(new Headers(headers)) });
    const answer = parse(await callHost(stringify({
      url: String(url), method: String(method).toUpperCase(), redirect,
      headers: [...sent], ...(bytes === undefined ? {} : { body: toBase64(bytes) }),
    })) || '{"error":"fetch failed"}');
    if (answer.error !== undefined) throw new TypeError(answer.error);
    return new Response(answer);
  });
})`;

const WITH_FETCH = `(${GUEST_FETCH})(globalThis[Symbol.for('plugboard.isolate')].callHost, ${DEFINE});`;

/** What every program starts from: loaded once, and copied for each run. */
export class SandboxBase {
  readonly #pool: Pick<IsolatePool, 'run'>;
  readonly #limits: IsolateLimits;
  readonly #code: string;
  readonly state = madeOnce(() => this.#prepare());

  constructor(pool: Pick<IsolatePool, 'run'>, limits: IsolateLimits, { fetch }: { readonly fetch: boolean }) {
    this.#pool = pool;
    this.#limits = limits;
    this.#code = `${WITH_BUFFER}\n${fetch ? WITH_FETCH : ''}\nundefined`;
  }

  async #prepare(): Promise<IsolateState> {
    const outcome = await this.#inPool({
      code: this.#code,
      language: 'javascript',
      limits: { ...this.#limits, cpuMs: 30_000, timeMs: 60_000 },
      files: [],
      keepState: true,
      isProgram: true,
    });
    if (outcome.kind === 'completed' && outcome.state !== undefined) return outcome.state;
    throw new SandboxError('ENGINE_FAULT');
  }

  async #inPool(job: IsolateJob): Promise<RunOutcome> {
    try {
      return await this.#pool.run(job);
    } catch (error) {
      throw error instanceof PoolBusyError ? new SandboxError('BUSY') : error;
    }
  }
}
