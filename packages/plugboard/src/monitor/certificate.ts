import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { connect } from 'node:tls';
import type { UrlGuard } from '@plugboard/client';

const HTTPS = 443;

/** The address that a name has and that may be reached. */
const resolved = async (host: string, urls: UrlGuard): Promise<string> => {
  if (isIP(host) !== 0) {
    urls.checkHost(host);
    return host;
  }
  const addresses = (await lookup(host, { all: true })).map(({ address }) => address);
  urls.checkResolved(host, addresses);
  const [first = host] = addresses;
  return first;
};

/**
 * When the certificate of an https server expires; undefined for other URLs, and when it cannot be read. Nothing is sent on
 * this connection, so the certificate is not verified here.
 */
export const certificateExpiry = async (
  url: string,
  urls: UrlGuard,
  signal: AbortSignal,
): Promise<Date | undefined> => {
  const { protocol, hostname, port } = new URL(url);
  if (protocol !== 'https:') return undefined;
  const host = hostname.replaceAll(/^\[|\]$/gu, '');
  const address = await resolved(host, urls);
  const servername = isIP(host) === 0 ? { servername: host } : {};
  const socket = connect({
    host: address,
    port: port === '' ? HTTPS : Number(port),
    rejectUnauthorized: false,
    ...servername,
  });
  const stop = (): void => void socket.destroy();
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await new Promise<Date | undefined>((resolve, reject) => {
      socket.once('secureConnect', () => {
        const expiry = new Date(socket.getPeerCertificate().valid_to ?? '');
        // A certificate can have any text in place of a date.
        resolve(Number.isNaN(expiry.getTime()) ? undefined : expiry);
      });
      socket.once('error', reject);
      socket.once('close', () => resolve(undefined));
    });
  } finally {
    signal.removeEventListener('abort', stop);
    socket.destroy();
  }
};
