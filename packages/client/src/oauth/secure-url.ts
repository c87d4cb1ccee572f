import { addressKind, isLoopbackHost, plainHost } from '@plugboard/base';
import { hostNameKind } from '../network/host-name-kind.js';
import { OAuthFailure } from './oauth-failure.js';

/** By its name or address, and also for https. */
const isOnThisMachine = ({ hostname }: URL): boolean => {
  const host = plainHost(hostname);
  return (addressKind(host) ?? hostNameKind(host)) === 'loopback';
};

/** A remote server must not name URLs on this machine. */
export const assertNotLedHome = (text: string, serverUrl: string, what: string): void => {
  if (!URL.canParse(text) || !isOnThisMachine(new URL(text)) || isOnThisMachine(new URL(serverUrl))) return;
  throw new OAuthFailure('rejected', `The ${what} is on this machine, and the server is not.`, {
    hint: 'Do not log in until its operator has corrected the OAuth metadata.',
    details: { host: new URL(text).host },
  });
};

/** Codes, tokens and secrets travel over TLS, except on this machine. */
export const secureUrl = (text: string, what: string): URL => {
  if (!URL.canParse(text)) throw new OAuthFailure('rejected', `The ${what} is not a URL.`);
  const url = new URL(text);
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackHost(url.hostname))) return url;
  throw new OAuthFailure('rejected', `The ${what} is not an https URL.`, {
    hint: 'OAuth needs TLS, except between programs on one machine.',
    details: { host: url.host },
  });
};
