import type { IncomingMessage, ServerResponse } from 'node:http';
import { pathSegments } from '../http/path-segments.js';
import type { RequestAccess } from './request-access.js';
import { gatewayRoute } from './gateway-route.js';
import { ROUTE_ROLES } from './route-roles.js';

type OpenAnswer = ServerResponse;

/** What opens an answer, so that many with the same are asked about once. */
const proofOf = ({ headers }: IncomingMessage): string =>
  JSON.stringify([headers.authorization, headers['x-api-key'], headers.cookie]);

/** Is access to it restricted? Otherwise a request without credentials was admitted as a caller of tools. */
const isGuarded = ({ url }: IncomingMessage): boolean => {
  const route = gatewayRoute(pathSegments(url ?? '/'));
  return route !== undefined && ROUTE_ROLES[route] !== 'everybody';
};

/**
 * Ends the answers whose credentials no longer open anything: a key that was revoked or has run out, a token that
 * expired, a browser that logged out. A stream would go on for as long as its reader likes.
 */
export const endUnproven = async (open: Iterable<OpenAnswer>, requestAccess: RequestAccess): Promise<void> => {
  const verdicts = new Map<string, Promise<boolean>>();
  const judged = [...open].map(async (answer) => {
    const { req: request } = answer;
    if (!requestAccess.isProven(request) && !isGuarded(request)) return;
    const proof = proofOf(request);
    const verdict = verdicts.get(proof) ?? requestAccess.stillOpens(request).catch(() => true);
    verdicts.set(proof, verdict);
    if (!(await verdict)) answer.destroy();
  });
  await Promise.all(judged);
};
