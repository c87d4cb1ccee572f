import { PassThrough, Readable } from 'node:stream';
import type { Dispatcher } from 'undici';

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly signal: AbortSignal;
}

export interface ScriptedAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A text, an object that becomes JSON, or pieces that arrive one after the other. */
  readonly body?: string | object | AsyncIterable<string>;
}

export type Script = (request: SeenRequest) => ScriptedAnswer | Promise<ScriptedAnswer>;

const isStream = (body: ScriptedAnswer['body']): body is AsyncIterable<string> =>
  typeof body === 'object' && Symbol.asyncIterator in body;

const bodyOf = (answer: ScriptedAnswer): Readable => {
  const { body = '' } = answer;
  if (isStream(body)) {
    // Not Readable.from: it cannot be destroyed while its source waits, and sockets can.
    const out = new PassThrough();
    void (async () => {
      for await (const piece of body) {
        out.write(piece);
      }
      out.end();
    })();
    return out;
  }
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return Readable.from(text === '' ? [] : [Buffer.from(text)]);
};

const typeOf = ({ body }: ScriptedAnswer): string => (isStream(body) ? 'text/event-stream' : 'application/json');

/** An undici dispatcher without a network: a function answers. */
export const scriptedDispatcher = (
  script: Script,
): { dispatcher: Dispatcher; seen: SeenRequest[]; destroyed: () => boolean } => {
  const seen: SeenRequest[] = [];
  let destroyed = false;
  const dispatcher = {
    async request(options: Dispatcher.RequestOptions) {
      const signal = options.signal as AbortSignal;
      const request: SeenRequest = {
        method: options.method,
        path: options.path,
        headers: options.headers as Record<string, string>,
        body: typeof options.body === 'string' ? (JSON.parse(options.body) as unknown) : undefined,
        signal,
      };
      seen.push(request);
      const aborted = new Promise<never>((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      });
      aborted.catch(() => undefined);
      const answer = await Promise.race([script(request), aborted]);
      const body = Object.assign(bodyOf(answer), {
        dump: async () => {
          body.destroy();
        },
      });
      return {
        statusCode: answer.status ?? 200,
        headers: { 'content-type': typeOf(answer), ...answer.headers },
        body,
      };
    },
    async destroy() {
      destroyed = true;
    },
  };
  return { dispatcher: dispatcher as unknown as Dispatcher, seen, destroyed: () => destroyed };
};

export const eventOf = (message: unknown, id?: string): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: message\ndata: ${JSON.stringify(message)}\n\n`;
