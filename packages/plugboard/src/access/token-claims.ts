import { agentId, PlugboardError, role, type Principal, type Role } from '@plugboard/contract';
import type { TokenSettings } from '../settings/access-settings.js';

/** What a token says, however it was verified. */
export type TokenClaims = Readonly<Record<string, unknown>>;

const SCOPE = /^plugboard:(?<role>\w+)$/u;
/** The first that a token names counts. */
const BY_POWER: readonly Role[] = ['admin', 'operator', 'viewer', 'agent'];

export const refusedToken = (message: string, cause?: unknown): PlugboardError =>
  new PlugboardError('UNAUTHENTICATED', message, {
    hint: 'Get a new token from the authorization server of this hub.',
    cause,
  });

export const textOf = (claim: unknown): string | undefined =>
  typeof claim === 'string' && claim !== '' ? claim : undefined;

const wordsOf = (claim: unknown): readonly string[] => {
  if (typeof claim === 'string') return claim.split(' ');
  return Array.isArray(claim) ? claim.filter((word): word is string => typeof word === 'string') : [];
};

/** A token without a role of ours may call tools, and no more. */
const roleOf = (claims: TokenClaims, claim: string | undefined): Role => {
  const named =
    claim === undefined
      ? wordsOf(claims['scope'] ?? claims['scp']).flatMap((word) => SCOPE.exec(word)?.groups?.['role'] ?? [])
      : wordsOf(claims[claim]);
  const known = new Set(named.flatMap((word) => role.safeParse(word).data ?? []));
  return BY_POWER.find((candidate) => known.has(candidate)) ?? 'agent';
};

/** Who calls, and what for: `subject` is unique among those whom the issuer knows. */
export const principalOfClaims = (claims: TokenClaims, subject: string, settings: TokenSettings): Principal => {
  const found = roleOf(claims, settings.roleClaim);
  const agent = settings.agentClaim === undefined ? undefined : agentId.safeParse(claims[settings.agentClaim]).data;
  return {
    id: `${settings.issuer} ${subject}`,
    role: found,
    ...(found === 'agent' && agent !== undefined ? { agent } : {}),
  };
};
