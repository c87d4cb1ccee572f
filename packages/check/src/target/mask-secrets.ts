import type { CheckTarget } from './target.js';

const SHORTEST = 6;
const MASK = '[secret]';

/** What follows the scheme is as secret as the whole header. */
const partsOf = (value: string): readonly string[] => [value, ...value.split(/\s+/u).slice(1)];

export type Mask = (text: string) => string;

type Confidant = Pick<CheckTarget, 'headers' | 'otherHeaders' | 'env' | 'auth' | 'authorization'>;

const ownOf = ({ auth, authorization }: Confidant): readonly (string | undefined)[] => {
  const { clientSecret, expiredToken, narrowToken, otherAudienceToken } = authorization ?? {};
  const got = auth?.type === 'oauth' ? auth.client_secret : auth?.type === 'token' ? auth.token : undefined;
  return [got, clientSecret, expiredToken, narrowToken, otherAudienceToken];
};

/** Replaces every secret of a target, wherever it turns up: what is sent, what a server echoes, what a finding quotes. */
export const secretMask = (target: Confidant, more: readonly string[] = []): Mask => {
  const { headers, otherHeaders = {}, env } = target;
  const given = [headers, otherHeaders, env].flatMap((part) => Object.values(part));
  const secrets = [...given, ...ownOf(target).filter((one) => one !== undefined), ...more]
    .flatMap(partsOf)
    .filter((secret) => secret.length >= SHORTEST)
    .toSorted((one, two) => two.length - one.length);
  return (text) => secrets.reduce((masked, secret) => masked.replaceAll(secret, MASK), text);
};
