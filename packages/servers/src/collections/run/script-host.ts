import { z } from 'zod';
import { asCollectionError, CollectionError } from '../collections-error.js';
import type { JsonObject, RequestModel } from '../model/collection-model.js';
import { readDefinition } from '../postman/read-request.js';
import type { Answer } from '../../send/outgoing-request.js';
import type { CookieJar } from '../../send/cookie-jar.js';
import type { SendOptions, SendRequest } from '../../send/send-request.js';
import type { ReadBodyFile } from './encode-body.js';
import { masked } from './request-report.js';
import { resolveRequest } from './resolve-request.js';
import type { Values } from '../model/variable-scopes.js';

/** A request that a script sent, for the report: nothing is sent that no report shows. */
export interface ScriptRequest {
  readonly method: string;
  readonly url: string;
  readonly status?: number;
  readonly timeMs?: number;
  readonly error?: string;
}

export interface ScriptHostParts {
  readonly send: SendOptions & { readonly cookies: CookieJar };
  readonly sendRequest: SendRequest;
  readonly readFile: ReadBodyFile;
  readonly values: Values;
}

const MAX_REQUESTS = 100;

const jsonObject = z.record(z.string(), z.unknown()) as unknown as z.ZodType<JsonObject>;
const questionShape = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('request'), request: jsonObject }),
  z.object({ kind: z.literal('cookies'), method: z.string(), args: z.array(z.unknown()).default([]) }),
  z.object({ kind: z.literal('unsupported'), name: z.string() }),
]);

type Reply = { readonly values: readonly unknown[] } | { readonly error: string };

/** Answers what one script asks of the world: requests, under the rules of all requests, and the cookies of the run. */
export class ScriptHost {
  readonly #parts: ScriptHostParts;
  readonly sent: ScriptRequest[] = [];

  constructor(parts: ScriptHostParts) {
    this.#parts = parts;
  }

  readonly answer = async (question: string): Promise<string> => JSON.stringify(await this.#reply(question));

  async #reply(text: string): Promise<Reply> {
    const question = questionShape.safeParse(JSON.parse(text)).data;
    switch (question?.kind) {
      case 'request':
        return this.#request(question.request);
      case 'cookies': {
        const answer = await this.#parts.send.cookies.call(question.method, question.args);
        return answer === undefined
          ? { error: `There is no method "${question.method}".` }
          : { values: [answer.value] };
      }
      case 'unsupported':
        return { error: `${question.name} is not available here.` };
      case undefined:
        return { error: 'The question cannot be read.' };
    }
  }

  async #request(definition: JsonObject): Promise<Reply> {
    if (this.sent.length >= MAX_REQUESTS) return { error: `A script may send at most ${MAX_REQUESTS} requests.` };
    const { send, sendRequest, readFile, values } = this.#parts;
    let shown = { method: '', url: '' };
    try {
      const parts = readDefinition(definition);
      shown = { method: parts.method, url: parts.url };
      const outgoing = await resolveRequest(asModel(parts), values, readFile);
      shown = { ...shown, url: masked(outgoing.url.href, outgoing.secrets) };
      const answer = await sendRequest(outgoing, send);
      this.sent.push({ ...shown, status: answer.status, timeMs: answer.timeMs });
      const cookies = await send.cookies.list(outgoing.url);
      return { values: [responseOf(answer), { cookies }] };
    } catch (thrown) {
      const error = asCollectionError(thrown);
      if (!(error instanceof CollectionError)) throw error;
      this.sent.push({ ...shown, error: error.code });
      return { error: `${error.code}: ${error.message}` };
    }
  }
}

const asModel = (parts: ReturnType<typeof readDefinition>): RequestModel => ({
  ...parts,
  id: '',
  name: '',
  folder: [],
  description: '',
  scripts: { before: [], after: [] },
  // What a script gives as a body is meant to be sent.
  behaviour: { disableBodyPruning: true },
});

const responseOf = ({ status, statusText, headers, body, timeMs }: Answer): object => ({
  code: status,
  status: statusText,
  header: headers,
  responseTime: timeMs,
  stream: { type: 'Base64', data: Buffer.from(body).toString('base64') },
});
