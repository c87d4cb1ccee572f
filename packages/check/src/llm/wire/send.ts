import { anySignal } from '../../connection/any-signal.js';
import { tryJson } from '../../connection/json.js';
import { NoAnswer, Unreachable } from '../../connection/no-answer.js';
import type { Dialect, Outgoing } from '../dialect/dialect.js';
import type { LlmTarget } from '../target.js';
import { signRequest } from './sign-request.js';

/** One request to the provider and what came back. */
export interface Exchange {
  readonly outgoing: Outgoing;
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
  readonly text: string;
  /** undefined: the body is not JSON. */
  readonly json: unknown;
  /** The connection broke before the body was complete. */
  readonly isCut: boolean;
}

export interface SendOptions {
  readonly signal?: AbortSignal | undefined;
  /** Stop reading after this many bytes, and close the connection. */
  readonly stopAfter?: number;
  /** In place of the runtime's own, for tests without sockets. */
  readonly fetch?: typeof fetch | undefined;
}

const MAX_BYTES = 16 * 1024 * 1024;

const causeOf = (error: unknown): string => {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return cause instanceof Error ? cause.message : String(cause);
};

const requestOf = (target: LlmTarget, dialect: Dialect, outgoing: Outgoing): { url: URL; init: RequestInit } => {
  const url = new URL(`${target.url.replace(/\/+$/u, '')}${outgoing.path}`);
  const { method, form } = outgoing;
  if (form !== undefined) return { url, init: { method, body: form, headers: dialect.headers(target) } };
  if (outgoing.body === undefined) return { url, init: { method, headers: dialect.headers(target) } };
  const body = JSON.stringify(outgoing.body);
  const signature =
    target.key === undefined && target.aws !== undefined ? signRequest(url, body, target.aws, new Date()) : {};
  const headers = { 'content-type': 'application/json', ...dialect.headers(target), ...signature };
  return { url, init: { method, body, headers } };
};

/** Reads until the end, a break, or as much as is wanted. */
const readBody = async (response: Response, stopAfter: number): Promise<{ bytes: Buffer; isCut: boolean }> => {
  const chunks: Uint8Array[] = [];
  let read = 0;
  try {
    for await (const chunk of response.body ?? []) {
      chunks.push(chunk);
      read += chunk.length;
      if (read >= stopAfter) break;
    }
  } catch (error) {
    if (error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError')) throw error;
    return { bytes: Buffer.concat(chunks), isCut: true };
  }
  return { bytes: Buffer.concat(chunks), isCut: false };
};

class BrokenConnection extends NoAnswer {}

const sendOnce = async (
  { url, init }: ReturnType<typeof requestOf>,
  target: LlmTarget,
  { signal, stopAfter = MAX_BYTES, fetch: fetched = fetch }: SendOptions,
): Promise<Omit<Exchange, 'outgoing'>> => {
  const deadline = AbortSignal.timeout(target.timeoutMs);
  const stop = new AbortController();
  try {
    const response = await fetched(url, {
      ...init,
      redirect: 'error',
      signal: anySignal(deadline, stop.signal, signal),
    });
    const { bytes, isCut } = await readBody(response, stopAfter);
    const text = bytes.toString('utf8');
    return { status: response.status, headers: response.headers, bytes, text, json: tryJson(text), isCut };
  } catch (error) {
    if (signal?.aborted === true) throw new NoAnswer('The run was cancelled.');
    if (deadline.aborted) throw new NoAnswer(`No answer within ${target.timeoutMs} ms.`);
    if (!(error instanceof TypeError)) throw error;
    // `fetch` says this of everything that happened before there was a response.
    const cause = causeOf(error);
    if (/ECONNREFUSED|ENOTFOUND|EAI_AGAIN|certificate|redirect/iu.test(cause)) {
      throw new Unreachable(`Nothing usable answers at ${url.origin}: ${cause}.`);
    }
    throw new BrokenConnection(`The connection broke before an answer came: ${cause}.`);
  } finally {
    stop.abort();
  }
};

/** Sends a request and reads the answer. Throws NoAnswer when it takes too long, Unreachable when nothing is there. */
export const send = async (
  target: LlmTarget,
  dialect: Dialect,
  outgoing: Outgoing,
  options: SendOptions = {},
): Promise<Exchange> => {
  const request = requestOf(target, dialect, outgoing);
  try {
    return { outgoing, ...(await sendOnce(request, target, options)) };
  } catch (error) {
    // A kept connection may have been closed while it was idle, which is no fault of the endpoint.
    if (!(error instanceof BrokenConnection)) throw error;
    return { outgoing, ...(await sendOnce(request, target, options)) };
  }
};
