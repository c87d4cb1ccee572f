import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';

/** A request as the AWS SDK hands it to its handler. */
interface AwsRequest {
  readonly protocol: string;
  readonly hostname: string;
  readonly port?: number | undefined;
  readonly path: string;
  readonly query?: Readonly<Record<string, string | readonly string[] | null>> | undefined;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

interface AwsOptions {
  readonly abortSignal?: unknown;
}

/** What a fetch computes from the URL and the body. It is the same as what was signed. */
const COMPUTED: ReadonlySet<string> = new Set(['host', 'content-length']);

const urlOf = ({ protocol, hostname, port, path, query = {} }: AwsRequest): string => {
  const url = new URL(`${protocol}//${hostname}${port === undefined ? '' : `:${port}`}${path}`);
  for (const [name, value] of Object.entries(query)) {
    for (const one of [value ?? ''].flat()) url.searchParams.append(name, one);
  }
  return url.href;
};

const decoder = new TextDecoder();

const textOf = (body: unknown): string | undefined => {
  if (typeof body === 'string') return body;
  return body instanceof Uint8Array ? decoder.decode(body) : undefined;
};

/** Sends the requests of the AWS SDK with a fetch: what holds for that one, such as a policy for URLs, holds for them. */
export const fetchHandler = (fetch: typeof globalThis.fetch) => ({
  handle: async (request: AwsRequest, { abortSignal }: AwsOptions = {}) => {
    const headers = Object.entries(request.headers).filter(([name]) => !COMPUTED.has(name.toLowerCase()));
    const answer = await fetch(urlOf(request), {
      method: request.method,
      headers: Object.fromEntries(headers),
      body: textOf(request.body) ?? null,
      signal: abortSignal instanceof AbortSignal ? abortSignal : null,
    });
    const { body } = answer;
    return {
      response: {
        statusCode: answer.status,
        headers: Object.fromEntries(answer.headers),
        body: body === null ? Readable.from([]) : Readable.fromWeb(body as ReadableStream<Uint8Array>),
      },
    };
  },
});
