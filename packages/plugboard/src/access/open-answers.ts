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
  try {
    const route = gatewayRoute(pathSegments(url ?? '/'));
    return route !== undefined && ROUTE_ROLES[route] !== 'everybody';
  } catch {
    // A path that cannot be read: the answer is its refusal, which somebody has not read yet.
    return false;
  }
};

/** Stands for the proof of an answer that needs none. */
const OPEN_TO_ALL = '';

/**
 * Ends the answers whose credentials no longer open anything: a key that was revoked or has run out, a token that
 * expired, a browser that logged out. A stream would go on for as long as its reader likes.
 */
export class OpenAnswers {
  readonly #requestAccess: Pick<RequestAccess, 'isProven' | 'stillOpens'>;
  /** What opened them, of answers that were looked at before: the headers of a request do not change. */
  readonly #proofs = new WeakMap<OpenAnswer, string>();

  constructor(requestAccess: Pick<RequestAccess, 'isProven' | 'stillOpens'>) {
    this.#requestAccess = requestAccess;
  }

  readonly endUnproven = async (open: Iterable<OpenAnswer>): Promise<void> => {
    const groups = new Map<string, OpenAnswer[]>();
    for (const answer of open) {
      const proof = this.#proofOf(answer);
      if (proof === OPEN_TO_ALL) continue;
      const group = groups.get(proof);
      if (group === undefined) groups.set(proof, [answer]);
      else group.push(answer);
    }
    await Promise.all([...groups.values()].map((group) => this.#judge(group)));
  };

  #proofOf(answer: OpenAnswer): string {
    const known = this.#proofs.get(answer);
    if (known !== undefined) return known;
    const { req: request } = answer;
    const guarded = this.#requestAccess.isProven(request) || isGuarded(request);
    const proof = guarded ? proofOf(request) : OPEN_TO_ALL;
    this.#proofs.set(answer, proof);
    return proof;
  }

  async #judge(group: readonly OpenAnswer[]): Promise<void> {
    const [first] = group;
    if (first === undefined || (await this.#requestAccess.stillOpens(first.req).catch(() => true))) return;
    for (const answer of group) answer.destroy();
  }
}
