import type { CheckTarget } from '../target/target.js';

const SHORTEST = 6;
const MASK = '[secret]';

/** What follows the scheme is as secret as the whole header. */
const partsOf = (value: string): readonly string[] => [value, ...value.split(/\s+/u).slice(1)];

export type Mask = (text: string) => string;

/** Replaces every secret of a target, and those that a run came by, wherever it turns up: what is sent, what a server echoes, what a finding quotes. */
export const secretMask = (
  { headers, otherHeaders = {}, env, auth }: Pick<CheckTarget, 'headers' | 'otherHeaders' | 'env' | 'auth'>,
  more: readonly string[] = [],
): Mask => {
  const own = auth?.type === 'oauth' ? [auth.client_secret] : auth?.type === 'token' ? [auth.token] : [];
  const secrets = [...Object.values(headers), ...Object.values(otherHeaders), ...Object.values(env), ...own, ...more]
    .flatMap(partsOf)
    .filter((secret) => secret.length >= SHORTEST)
    .toSorted((one, two) => two.length - one.length);
  return (text) => secrets.reduce((masked, secret) => masked.replaceAll(secret, MASK), text);
};
