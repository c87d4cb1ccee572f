import { addressKind } from '../network-policy/address-kind.js';
import { hostNameKind } from '../network-policy/host-name-kind.js';
import { OAuthFailure } from './oauth-failure.js';

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/u;

export const isLoopbackUrl = (url: URL): boolean => LOOPBACK.test(url.hostname);

/** By its name or address, and also for https. */
const isOnThisMachine = ({ hostname }: URL): boolean => {
  const host = hostname.replaceAll(/^\[|\]$/gu, '').replace(/\.$/u, '');
  return (addressKind(host) ?? hostNameKind(host)) === 'loopback';
};

/** A server elsewhere has no business on this machine: what it names here was made for somebody else. */
export const assertNotLedHome = (text: string, serverUrl: string, what: string): void => {
  if (!URL.canParse(text) || !isOnThisMachine(new URL(text)) || isOnThisMachine(new URL(serverUrl))) return;
  throw new OAuthFailure('rejected', `The ${what} is on this machine, and the server is not.`, {
    hint: 'Its operator has to correct its OAuth metadata; do not log in until then.',
    details: { host: new URL(text).host },
  });
};

/** Codes, tokens and secrets travel over TLS, except on this machine. */
export const secureUrl = (text: string, what: string): URL => {
  if (!URL.canParse(text)) {
    throw new OAuthFailure('rejected', `The ${what} is not a URL.`);
  }
  const url = new URL(text);
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackUrl(url))) {
    return url;
  }
  throw new OAuthFailure('rejected', `The ${what} is not an https URL.`, {
    hint: 'OAuth needs TLS, except between programs on one machine.',
    details: { host: url.host },
  });
};
