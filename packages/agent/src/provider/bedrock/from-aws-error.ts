import { isJsonObject } from '@plugboard/base';
import { classifyFailure } from '../error/classify-failure.js';
import { hideKey } from '../error/hide-key.js';
import { ModelError } from '../error/model-error.js';
import { retryAfterMs } from '../error/retry-after.js';

interface AwsFailure extends Error {
  readonly $metadata?: { readonly httpStatusCode?: number | undefined } | undefined;
  readonly $response?: { readonly headers?: unknown } | undefined;
}

const TIMEOUTS: ReadonlySet<string> = new Set(['TimeoutError', 'ModelTimeoutException', 'RequestTimeout']);

const headersOf = (given: unknown): Headers | undefined => {
  if (!isJsonObject(given)) return undefined;
  return new Headers(Object.entries(given).filter((pair): pair is [string, string] => typeof pair[1] === 'string'));
};

/** What the SDK of AWS threw, as one of our errors. */
export const fromAwsError = (thrown: unknown, provider: string, keys: readonly (string | undefined)[]): unknown => {
  if (thrown instanceof ModelError || !(thrown instanceof Error)) return thrown;
  const failed: AwsFailure = thrown;
  const said = hideKey(failed.message, keys);
  if (TIMEOUTS.has(failed.name)) return new ModelError('timeout', { provider, said, cause: thrown });
  const status = failed.$metadata?.httpStatusCode;
  // Inside a stream there is a name, and the status is that of the stream.
  if (status !== undefined || failed.name.endsWith('Exception')) {
    const known = status !== undefined && status >= 400 ? status : undefined;
    return new ModelError(classifyFailure({ status: known, text: `${failed.name} ${failed.message}` }), {
      provider,
      said,
      status: known,
      retryAfterMs: retryAfterMs(headersOf(failed.$response?.headers)),
      cause: thrown,
    });
  }
  return new ModelError('connection', { provider, said, cause: thrown });
};
