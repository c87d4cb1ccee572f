import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { NetworkSet, unmappedAddress } from '@plugboard/base';

/** Tells where a request comes from. */
export type ClientAddress = (request: IncomingMessage) => string;

const PORT = /^(?:\[(?<v6>[^\]]+)\]|(?<v4>[\d.]+))(?::\d+)?$/u;

/** An entry of the header as proxies write it: with brackets and a port, or without. */
const entryOf = (text: string): string => {
  const trimmed = text.trim();
  const { v4, v6 } = PORT.exec(trimmed)?.groups ?? {};
  return unmappedAddress(v6 ?? v4 ?? trimmed);
};

/**
 * The address of the client: of the connection, or, when that comes from a proxy that is trusted, the last one in
 * X-Forwarded-For that is not such a proxy. What stands before it is written by the client and proves nothing.
 */
const ofConnection = (trusted: readonly string[]): ClientAddress => {
  const of = ({ socket }: IncomingMessage): string => unmappedAddress(socket.remoteAddress ?? '');
  if (trusted.length === 0) return of;
  const proxies = NetworkSet.of(trusted);
  return (request) => {
    const peer = of(request);
    if (!proxies.has(peer)) return peer;
    const forwarded = [request.headers['x-forwarded-for'] ?? []].flat().join(',').split(',').map(entryOf);
    const client = forwarded.toReversed().find((address) => !proxies.has(address));
    return client !== undefined && isIP(client) !== 0 ? client : peer;
  };
};

/**
 * The same, also for a request that another process of the fleet passed on: that process says where it came from.
 * @param passedFrom undefined for a request that came here directly
 */
export const clientAddress = (
  trusted: readonly string[],
  passedFrom: (request: IncomingMessage) => string | undefined = () => undefined,
): ClientAddress => {
  const direct = ofConnection(trusted);
  return (request) => passedFrom(request) ?? direct(request);
};
