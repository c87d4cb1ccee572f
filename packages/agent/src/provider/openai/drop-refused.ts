import { ModelError } from '../error/model-error.js';

/** Parameters that make an answer better, and whose absence does not make it wrong. */
const OPTIONAL: ReadonlySet<string> = new Set([
  'temperature',
  'stop',
  'parallel_tool_calls',
  'reasoning_effort',
  'stream_options',
  'prompt_cache_retention',
]);

const MOST_TRIES = 4;

const refusedParameter = (thrown: unknown, body: Readonly<Record<string, unknown>>): string | undefined => {
  if (!(thrown instanceof ModelError) || thrown.failure !== 'bad-request') return undefined;
  const quoted = /'(?<name>[a-z_]+)(?:\.[a-z_]+)*'/u.exec(thrown.message)?.groups?.['name'];
  return [thrown.param, quoted].find((name) => name !== undefined && name in body);
};

/**
 * Sends a request. If the endpoint does not know an optional parameter, it is sent again without it; `max_tokens` and
 * `max_completion_tokens` replace each other.
 */
export const droppingRefused = async <Answer>(
  body: Readonly<Record<string, unknown>>,
  send: (body: Readonly<Record<string, unknown>>) => Promise<Answer>,
  left = MOST_TRIES,
): Promise<Answer> => {
  try {
    return await send(body);
  } catch (thrown) {
    const name = refusedParameter(thrown, body);
    if (name === undefined || left <= 0) throw thrown;
    const { [name]: value, ...rest } = body;
    if (OPTIONAL.has(name)) return droppingRefused(rest, send, left - 1);
    if (name === 'max_tokens') return droppingRefused({ ...rest, max_completion_tokens: value }, send, 0);
    if (name === 'max_completion_tokens') return droppingRefused({ ...rest, max_tokens: value }, send, 0);
    throw thrown;
  }
};
