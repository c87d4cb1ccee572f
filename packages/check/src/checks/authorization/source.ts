import type { CheckEra, CheckSource } from '@plugboard/contract';
import { BOTH_ERAS, HTTP_ONLY } from '../../model/check.js';
import { spec } from '../instrument/spec.js';

/** What all checks of the family have in common. */
export const AUTHORIZATION = {
  family: 'authorization',
  eras: BOTH_ERAS,
  transports: HTTP_ONLY,
  unopened: true,
} as const;

/** A sentence of both revisions: the modern one spreads the page over several. */
export const authorization = (
  anchor: string,
  sentence: string,
  modernPage = `basic/authorization#${anchor}`,
): Readonly<Record<CheckEra, CheckSource>> => ({
  legacy: spec('2025-11-25', `basic/authorization#${anchor}`, sentence),
  modern: spec('2026-07-28', modernPage, sentence),
});

export const DISCOVERY = 'basic/authorization/authorization-server-discovery';
export const CONSIDERATIONS = 'basic/authorization/security-considerations';
export const REGISTRATION = 'basic/authorization/client-registration';

export const rfc = (number: number, section: string, sentence: string): CheckSource => ({
  sentence,
  url: `https://www.rfc-editor.org/rfc/rfc${number}#section-${section}`,
});

export const bestPractice = (anchor: string, sentence: string): CheckSource => ({
  sentence,
  url: `https://modelcontextprotocol.io/docs/tutorials/security/security_best_practices#${anchor}`,
});
