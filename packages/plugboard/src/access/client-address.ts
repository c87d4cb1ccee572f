import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

/** Tells where a request comes from. */
export type ClientAddress = (request: IncomingMessage) => string;

const MAPPED = /^::ffff:(?=\d+\.)/iu;
const PORT = /^(?:\[(?<v6>[^\]]+)\]|(?<v4>[\d.]+))(?::\d+)?$/u;

const plain = (address: string): string => address.replace(MAPPED, '');

/** An entry of the header as proxies write it: with brackets and a port, or without. */
const entryOf = (text: string): string => {
  const trimmed = text.trim();
  const { v4, v6 } = PORT.exec(trimmed)?.groups ?? {};
  return plain(v6 ?? v4 ?? trimmed);
};

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

const blockListOf = (networks: readonly string[]): BlockList => {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    if (bits === undefined) list.addAddress(address, familyOf(address));
    else list.addSubnet(address, Number(bits), familyOf(address));
  }
  return list;
};

/** Is this an address, or a network such as 10.0.0.0/8? */
export const isNetwork = (text: string): boolean => {
  const [address = '', bits, ...more] = text.split('/');
  const family = isIP(address);
  if (family === 0 || more.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/u.test(bits) && Number(bits) <= (family === 6 ? 128 : 32));
};

/**
 * The address of the client: of the connection, or, when that comes from a proxy that is trusted, the last one in
 * X-Forwarded-For that is not such a proxy. What stands before it is written by the client and proves nothing.
 */
export const clientAddress = (trusted: readonly string[]): ClientAddress => {
  const of = ({ socket }: IncomingMessage): string => plain(socket.remoteAddress ?? '');
  if (trusted.length === 0) return of;
  const proxies = blockListOf(trusted);
  const isProxy = (address: string): boolean => isIP(address) !== 0 && proxies.check(address, familyOf(address));
  return (request) => {
    const peer = of(request);
    if (!isProxy(peer)) return peer;
    const forwarded = [request.headers['x-forwarded-for'] ?? []].flat().join(',').split(',').map(entryOf);
    const client = forwarded.toReversed().find((address) => !isProxy(address));
    return client !== undefined && isIP(client) !== 0 ? client : peer;
  };
};
