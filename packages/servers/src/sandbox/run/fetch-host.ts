import { z } from 'zod';
import { CookieJar } from '../../send/cookie-jar.js';
import { SendError } from '../../send/send-error.js';
import { sendRequest, type SendRequest } from '../../send/send-request.js';
import { TargetPolicy } from '../../send/target-policy.js';

export interface FetchRules {
  /** `host`, `host:port` or `*.domain`. */
  readonly hosts: readonly string[];
  readonly resolve: (host: string) => Promise<readonly string[]>;
  readonly timeMs: number;
  readonly maxBodyBytes: number;
  readonly send?: SendRequest;
}

const requestShape = z.object({
  url: z.string(),
  method: z.string().regex(/^[A-Z]{1,20}$/u),
  redirect: z.enum(['follow', 'manual', 'error']),
  headers: z.array(z.tuple([z.string(), z.string()])),
  body: z.base64().optional(),
});

/** Answers `fetch` of the guest: to hosts that the operator named, without cookies, one answer at a time in whole. */
export class FetchHost {
  readonly #rules: FetchRules;
  readonly #policy: TargetPolicy;

  constructor(rules: FetchRules) {
    this.#rules = rules;
    this.#policy = new TargetPolicy({ allowed: rules.hosts, loopback: false, resolve: rules.resolve });
  }

  readonly answer = async (question: string, signal?: AbortSignal): Promise<string> => {
    try {
      return JSON.stringify(await this.#fetch(question, signal));
    } catch (error) {
      if (!(error instanceof SendError)) return JSON.stringify({ error: 'fetch failed' });
      const hint = error.code === 'HOST_NOT_ALLOWED' ? ' The operator allows hosts with --allow-fetch.' : '';
      return JSON.stringify({ error: `fetch failed: ${error.message}${hint}` });
    }
  };

  async #fetch(question: string, signal: AbortSignal | undefined): Promise<object> {
    const request = requestShape.safeParse(JSON.parse(question)).data;
    if (request === undefined || !URL.canParse(request.url)) throw new SendError('URL_INVALID');
    const url = new URL(request.url);
    if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new SendError('URL_INVALID');
    const { timeMs, maxBodyBytes, send = sendRequest } = this.#rules;
    const answer = await send(
      {
        method: request.method,
        url,
        headers: request.headers.map(([key, value]) => ({ key, value })),
        ...(request.body === undefined ? {} : { body: Buffer.from(request.body, 'base64') }),
        secrets: [],
      },
      {
        policy: this.#policy,
        cookies: new CookieJar(),
        maxBodyBytes,
        timeMs,
        followRedirects: request.redirect === 'follow',
        signal,
      },
    );
    if (request.redirect === 'error' && answer.status >= 300 && answer.status < 400) {
      throw new SendError('TOO_MANY_REDIRECTS', 'The server redirects, and the request does not follow.');
    }
    return {
      status: answer.status,
      statusText: answer.statusText,
      url: url.href,
      redirected: answer.redirects > 0,
      headers: answer.headers.map(({ key, value }) => [key, value]),
      body: Buffer.from(answer.body).toString('base64'),
    };
  }
}
