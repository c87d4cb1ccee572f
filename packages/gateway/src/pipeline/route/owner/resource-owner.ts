import type { Server } from '@plugboard/contract';
import { textAt } from '../../../rpc/members.js';
import type { Offers } from '../../../offer/aggregate/offer-books.js';
import { MatchBudget, uriMatches } from './uri-template.js';

/** Everything before the path. */
const originOf = (uri: string): string => /^[a-z][a-z0-9+.-]*:(?:\/\/[^/?#]*)?/iu.exec(uri)?.[0] ?? '';

/**
 * The server that a URI belongs to on an endpoint of several: the first, in their fixed order, that lists it; else the
 * first with a template that can give it; else the first that lists anything of the same scheme and authority.
 */
export const resourceOwner = (book: Offers, servers: readonly Server[], uri: string): Server | undefined => {
  const uris = (server: Server): readonly string[] =>
    book.known(server, 'resources').flatMap((item) => textAt(item, 'uri') ?? []);
  const templates = (server: Server): readonly string[] =>
    book.known(server, 'templates').flatMap((item) => textAt(item, 'uriTemplate') ?? []);
  const origin = originOf(uri);
  // Each server has a budget of its own: what one lists cannot hide what another does.
  const gives = (server: Server): boolean => {
    const budget = new MatchBudget();
    return templates(server).some((template) => template === uri || uriMatches(template, uri, budget));
  };
  return (
    servers.find((server) => uris(server).includes(uri)) ??
    servers.find(gives) ??
    servers.find(
      (server) => origin !== '' && [...uris(server), ...templates(server)].some((known) => originOf(known) === origin),
    )
  );
};
