import { errorFrom, unreachable } from './api-error.js';

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

export interface Ask {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  readonly query?: Query;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  /** A status that is no success, but carries an answer if `is` recognises its body. */
  readonly answers?: { readonly status: number; readonly is: (body: unknown) => boolean };
}

/** One page of a list, and where the next begins. */
export interface Page<Entry> {
  readonly entries: readonly Entry[];
  readonly next: string | undefined;
}

export const queryText = (query: Query = {}): string => {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, String(value)]],
  );
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`;
};

const isAbort = (thrown: unknown): boolean => thrown instanceof DOMException && thrown.name === 'AbortError';

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Requests to the hub that this page was loaded from, with the session of this browser. */
export class Http {
  /** What proves that a request comes from this page. */
  csrf: string | null = null;
  /** Called when the session is over. */
  onSignedOut: () => void = () => undefined;

  async send(path: string, { method = 'GET', query, body, headers, signal, answers }: Ask = {}): Promise<Response> {
    let response: Response;
    try {
      response = await fetch(path + queryText(query), {
        method,
        headers: {
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(this.csrf === null ? {} : { 'x-plugboard-csrf': this.csrf }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        ...(signal === undefined ? {} : { signal }),
      });
    } catch (thrown) {
      throw isAbort(thrown) ? thrown : unreachable();
    }
    if (response.ok) return response;
    const text = await response.text().catch(() => '');
    if (answers?.status === response.status && answers.is(parsed(text))) return new Response(text);
    const error = errorFrom(response.status, text);
    if (error.status === 401 && path !== '/v1/session') this.onSignedOut();
    throw error;
  }

  async json<Answer>(path: string, ask?: Ask): Promise<Answer> {
    const response = await this.send(path, ask);
    return (response.status === 204 ? undefined : await response.json()) as Answer;
  }

  async page<Entry>(path: string, ask?: Ask): Promise<Page<Entry>> {
    const response = await this.send(path, ask);
    return {
      entries: (await response.json()) as readonly Entry[],
      next: response.headers.get('x-next-after') ?? undefined,
    };
  }
}
