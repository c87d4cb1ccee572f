import { isLoopbackHost } from '@plugboard/base';
import { PlugboardError } from '@plugboard/contract';

const hostOf = (authority: string): string => {
  const url = URL.canParse(`http://${authority}`) ? new URL(`http://${authority}`) : undefined;
  return url?.hostname ?? '';
};

/** The usual names, told without reading them as URLs: this is asked of every request. */
const USUAL = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/u;

/** A name, an IPv4 address or an IPv6 address in brackets, and perhaps a port: nothing else is a host (RFC 9112, 3.2). */
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{0,5})?$/iu;

/** Throws for a Host that a URL parser would read as more than a host: the rest would become part of the path. */
export const assertPlainHost = ({ host }: { readonly host?: string | undefined }): void => {
  if (host === undefined || HOST.test(host)) return;
  throw new PlugboardError('INVALID_ARGUMENT', 'The Host header is not a host name with a port.', {
    hint: 'Send the name or address of the hub, such as 127.0.0.1:2091.',
  });
};

/**
 * A page in the user's browser can reach loopback under a name of its own (DNS rebinding). So a hub that is bound to
 * loopback answers only requests that call it by a loopback name.
 */
export const assertLocalHost = ({ host }: { readonly host?: string | undefined }): void => {
  if (host === undefined || USUAL.test(host) || isLoopbackHost(hostOf(host))) return;
  throw new PlugboardError('ORIGIN_REFUSED', 'The Host header does not name this machine.', {
    hint: 'Call the hub as 127.0.0.1 or localhost.',
  });
};
