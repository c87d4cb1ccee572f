import { providerPlace } from '@plugboard/agent';
import {
  type AgentModel,
  type KeptAgent,
  MODEL_HEADERS,
  MODEL_STATUS,
  type ModelRequest,
  PlugboardError,
} from '@plugboard/contract';

export interface PassageParts {
  readonly variable: (name: string) => string | undefined;
  /** A fetch that reaches only what the hub may reach. */
  readonly fetch: typeof globalThis.fetch;
  readonly signal: AbortSignal;
  /** Called when the answer ended or is no longer read. */
  readonly whenRead: () => void;
}

/** What the APIs of providers read. Others would say more of the one who asks than is needed. */
const PASSED = /^(?:accept|content-type|authorization|x-api-key|anthropic-.+|openai-.+|x-amzn?-.+)$/iu;

const urlOf = (base: string, path: string): URL => new URL(`${base.replace(/\/+$/u, '')}${path}`);

const unknownPath = ({ name }: KeptAgent, path: string): PlugboardError =>
  new PlugboardError('INVALID_ARGUMENT', `The provider of the agent "${name}" has no path ${path} for models.`, {
    hint: 'Ask for a path of its API for models, such as /chat/completions of OpenAI.',
    details: { param: 'path' },
  });

const unreachable = ({ host }: URL, cause: unknown): PlugboardError => {
  const reason = cause instanceof Error && cause.cause instanceof Error ? cause.cause.message : String(cause);
  return new PlugboardError('MODEL_UNREACHABLE', `The provider at ${host} cannot be reached: ${reason}.`, {
    hint: 'Check the base URL of the agent, and the network of the hub.',
    cause,
  });
};

/** These describe the body as it was sent to the hub. */
const OF_TRANSFER: ReadonlySet<string> = new Set(['content-encoding', 'content-length', 'transfer-encoding']);

/** The same body; tells when it ended, broke off, or is no longer read. */
const told = async function* (body: NonNullable<Response['body']>, whenRead: () => void): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } finally {
    whenRead();
  }
};

/** Status and headers of the provider are in headers: those of the answer itself are the hub's. */
const answerOf = (answer: Response, whenRead: () => void): Response => {
  const headers = [...answer.headers].filter(([name]) => !OF_TRANSFER.has(name));
  const body = answer.body === null ? null : ReadableStream.from(told(answer.body, whenRead));
  if (body === null) whenRead();
  return new Response(body, {
    headers: {
      'content-type': answer.headers.get('content-type') ?? 'application/octet-stream',
      [MODEL_STATUS]: String(answer.status),
      [MODEL_HEADERS]: JSON.stringify(headers),
    },
  });
};

/** Sends a request to the provider of an agent's model, with the key of the agent, and gives back the answer as it comes. */
export const passToModel = async (
  agent: KeptAgent,
  { provider, base_url: baseUrl }: AgentModel,
  { method, path, headers: given = {}, body }: ModelRequest,
  { variable, fetch, signal, whenRead }: PassageParts,
): Promise<Response> => {
  const place = providerPlace(provider, variable, baseUrl);
  if (!place.has(path)) throw unknownPath(agent, path);
  const url = urlOf(place.baseUrl, path);
  const headers = Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => (PASSED.test(name) ? [[name.toLowerCase(), value] as const] : [])),
  );
  try {
    const answer = await fetch(url.href, {
      method,
      headers: { ...place.prove({ method, url, headers, body: body ?? '' }) },
      body: method === 'GET' ? null : (body ?? ''),
      signal,
    });
    return answerOf(answer, whenRead);
  } catch (thrown) {
    signal.throwIfAborted();
    if (thrown instanceof PlugboardError) throw thrown;
    throw unreachable(url, thrown);
  }
};
