import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LlmRequest } from './script/llm-request.js';
import type { TurnSource } from './script/turn-script.js';
import { type LlmDoubleOptions, ScriptedLlm } from './scripted-llm.js';
import type { Arrival } from './wire/arrival.js';
import type { Reply, StreamReply } from './wire/reply.js';

/** What the client of Bedrock hands to the handler of its requests. */
interface AwsRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

const HOST = 'double.test';

const bytesOf = async function* ({ pieces, encode }: StreamReply): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) {
    if (piece === 'cut') throw new TypeError('terminated');
    if (piece === 'hang') await new Promise<never>(() => undefined);
    else if ('waitMs' in piece) await sleep(piece.waitMs);
    else yield Buffer.from('raw' in piece ? piece.raw : encode(piece));
  }
};

const whenAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    const fail = (): void => reject(new DOMException('This operation was aborted', 'AbortError'));
    if (signal.aborted) fail();
    signal.addEventListener('abort', fail, { once: true });
  });

const responseOf = async (reply: Reply, signal: AbortSignal): Promise<Response> => {
  if (reply === 'hang') return whenAborted(signal);
  if (reply === 'cut') throw new TypeError('fetch failed');
  if ('pieces' in reply) {
    return new Response(ReadableStream.from(bytesOf(reply)) as ReadableStream, { headers: { ...reply.headers } });
  }
  return new Response(Buffer.from(reply.body), { status: reply.status, headers: { ...reply.headers } });
};

/** The double without a socket: the SDKs ask it through their own hooks for `fetch` and for handlers of requests. */
export class MemoryLlm {
  readonly #llm: ScriptedLlm;
  readonly url = `http://${HOST}`;
  readonly openaiUrl = `http://${HOST}/v1`;
  /** Every request that came, refused or not. */
  readonly arrivals: Arrival[] = [];

  constructor(options?: LlmDoubleOptions) {
    this.#llm = new ScriptedLlm(options);
  }

  get requests(): readonly LlmRequest[] {
    return this.#llm.requests;
  }

  get refusals(): readonly string[] {
    return this.#llm.refusals;
  }

  next(...turns: readonly TurnSource[]): void {
    this.#llm.script.next(...turns);
  }

  always(turn: TurnSource): void {
    this.#llm.script.always(turn);
  }

  answer(arrival: Arrival): Promise<Reply> {
    this.arrivals.push(arrival);
    return this.#llm.answer(arrival);
  }

  readonly fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init);
    const { pathname, search } = new URL(request.url);
    const body = Buffer.from(await request.arrayBuffer());
    const reply = await this.answer({
      method: request.method,
      path: pathname,
      query: search.slice(1),
      // A fetch computes both.
      headers: { host: HOST, 'content-length': String(body.length), ...Object.fromEntries(request.headers) },
      body,
    });
    // The signal of a Request is collected together with it, and then never aborts.
    return responseOf(reply, init?.signal ?? request.signal);
  };

  /** For the client of Bedrock. */
  readonly awsHandler = {
    handle: async ({ method, path, headers, body = '' }: AwsRequest) => {
      const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
      const reply = await this.answer({
        method,
        path,
        query: '',
        headers: Object.fromEntries(lower),
        // Buffer.from would ask the body for its string, and the SDK warns of that.
        body: typeof body === 'string' ? Buffer.from(body) : Buffer.concat([body]),
      });
      if (typeof reply === 'string') throw new Error(`The connection was ${reply}.`);
      const isStream = 'pieces' in reply;
      const response = {
        statusCode: isStream ? 200 : reply.status,
        headers: { ...reply.headers },
        body: isStream ? Readable.from(bytesOf(reply)) : Readable.from([Buffer.from(reply.body)]),
      };
      return { response };
    },
  };
}
