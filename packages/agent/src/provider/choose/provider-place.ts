import { signRequest, type UnsignedRequest } from '../bedrock/aws-signature.js';
import type { ProviderKind } from './model-address.js';
import { bedrockKeys, providerKey, type ProviderVariable } from './provider-keys.js';

/** Where the API of a provider is, and what proves there who asks. */
export interface ProviderPlace {
  /** The address that the SDK of the provider has as its base. */
  readonly baseUrl: string;
  /** Is this a path of the API for models, below the base address? */
  readonly has: (path: string) => boolean;
  /** The headers of the request with a proof. One that the request has itself is kept. */
  readonly prove: (request: UnsignedRequest) => Readonly<Record<string, string>>;
}

const OPENAI =
  /^\/(?:chat\/completions|responses(?:\/input_tokens)?|embeddings|models(?:\/[^/?#]+)?|files(?:\/[^/?#]+(?:\/content)?)?|batches(?:\/[^/?#]+(?:\/cancel)?)?)$/u;
const ANTHROPIC =
  /^\/v1\/(?:messages(?:\/count_tokens|\/batches(?:\/[^/?#]+(?:\/(?:results|cancel))?)?)?|models(?:\/[^/?#]+)?)(?:\?beta=true)?$/u;
const BEDROCK = /^\/model\/[^/?#]+\/(?:converse|converse-stream|count-tokens|invoke)$/u;

const DOTS = /(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)/iu;

/** The path, and none that leads elsewhere. */
const onlyPaths =
  (pattern: RegExp): ProviderPlace['has'] =>
  (path) =>
    pattern.test(path) && !DOTS.test(path);

const isProven = (headers: Readonly<Record<string, string>>): boolean =>
  Object.keys(headers).some((name) => ['authorization', 'x-api-key'].includes(name.toLowerCase()));

export const providerPlace = (
  kind: ProviderKind,
  variable: ProviderVariable,
  baseUrl: string | undefined,
): ProviderPlace => {
  const keep =
    (prove: ProviderPlace['prove']): ProviderPlace['prove'] =>
    (request) =>
      isProven(request.headers) ? request.headers : prove(request);
  if (kind === 'bedrock') {
    const { region, apiKey, credentials } = bedrockKeys(variable);
    return {
      baseUrl: baseUrl ?? `https://bedrock-runtime.${region}.amazonaws.com`,
      has: onlyPaths(BEDROCK),
      prove: keep((request) =>
        credentials === undefined
          ? { ...request.headers, authorization: `Bearer ${apiKey ?? ''}` }
          : signRequest(request, { region, service: 'bedrock' }, credentials),
      ),
    };
  }
  const key = providerKey(kind, variable, baseUrl);
  if (kind === 'anthropic') {
    return {
      baseUrl: baseUrl ?? 'https://api.anthropic.com',
      has: onlyPaths(ANTHROPIC),
      prove: keep(({ headers }) => (key === undefined ? headers : { ...headers, 'x-api-key': key })),
    };
  }
  return {
    baseUrl: baseUrl ?? 'https://api.openai.com/v1',
    has: onlyPaths(OPENAI),
    prove: keep(({ headers }) => (key === undefined ? headers : { ...headers, authorization: `Bearer ${key}` })),
  };
};
