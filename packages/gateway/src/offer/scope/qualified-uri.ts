import type { Server } from '@plugboard/contract';

/** scheme, whether an authority follows, and the rest */
const URI = /^([a-z][a-z0-9+.-]*):(\/\/)?(.*)$/isu;
const QUALIFIED = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]+)\.plugboard\/(:?)(.*)$/isu;

/**
 * The address of one server's resource on an endpoint of several, where the plain one means another server's: the same
 * scheme, which tells clients what it is, with the name of the server in front. What is no URI stays as it is.
 */
export const qualifyUri = ({ server_name }: Server, uri: string): string => {
  const found = URI.exec(uri);
  if (found === null) return uri;
  const [, scheme = '', slashes, rest = ''] = found;
  return `${scheme}://${encodeURIComponent(server_name)}.plugboard/${slashes === undefined ? ':' : ''}${rest}`;
};

const decoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
};

export interface OwnUri {
  readonly server: Server;
  /** As the server knows it. */
  readonly uri: string;
}

/** What a qualified address means; undefined for any other. */
export const readQualifiedUri = (servers: readonly Server[], qualified: string): OwnUri | undefined => {
  const found = QUALIFIED.exec(qualified);
  if (found === null) return undefined;
  const [, scheme = '', name = '', colon, rest = ''] = found;
  const server = servers.find(({ server_name }) => server_name === decoded(name));
  return server && { server, uri: colon === ':' ? `${scheme}:${rest}` : `${scheme}://${rest}` };
};

/** The address under which a client asked for a server's resource: the plain one, or the one with the server's name. */
export const askedUri = <Held extends { readonly ownUri: string }>(
  held: ReadonlyMap<string, Held> | undefined,
  { server, uri }: OwnUri,
  isMeant: (one: Held) => boolean,
): string | undefined =>
  [uri, qualifyUri(server, uri)].find((asked) => {
    const one = held?.get(asked);
    return one !== undefined && one.ownUri === uri && isMeant(one);
  });
