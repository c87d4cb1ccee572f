import { agentId, type AgentId, PlugboardError, role, type Principal, type Role } from '@plugboard/contract';
import type { TokenSettings } from '../../settings/access-settings.js';

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

const isWords = (claim: unknown): boolean =>
  typeof claim === 'string' || (Array.isArray(claim) && claim.every((word) => typeof word === 'string'));

/** A token without a role of ours may call tools, and no more. One whose claim cannot be read is refused. */
const roleOf = (claims: TokenClaims, claim: string | undefined): Role => {
  if (claim !== undefined && claims[claim] !== undefined && !isWords(claims[claim])) {
    throw refusedToken(`The claim "${claim}" of the token is neither text nor a list of texts.`);
  }
  const named =
    claim === undefined
      ? wordsOf(claims['scope'] ?? claims['scp']).flatMap((word) => SCOPE.exec(word)?.groups?.['role'] ?? [])
      : wordsOf(claims[claim]);
  const known = new Set(named.flatMap((word) => role.safeParse(word).data ?? []));
  return BY_POWER.find((candidate) => known.has(candidate)) ?? 'agent';
};

/** Where agents are told apart by a claim, a caller of tools that names none is nobody: it must not get them all. */
const agentOf = (claims: TokenClaims, claim: string): AgentId => {
  const { data } = agentId.safeParse(claims[claim]);
  if (data === undefined) throw refusedToken(`The claim "${claim}" of the token does not name an agent by its id.`);
  return data;
};

/** The caller and its agent. `subject` is unique for the issuer. */
export const principalOfClaims = (claims: TokenClaims, subject: string, settings: TokenSettings): Principal => {
  const found = roleOf(claims, settings.roleClaim);
  const { agentClaim } = settings;
  return {
    id: `${settings.issuer} ${subject}`,
    role: found,
    ...(found === 'agent' && agentClaim !== undefined ? { agent: agentOf(claims, agentClaim) } : {}),
  };
};
