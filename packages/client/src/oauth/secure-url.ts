import { OAuthFailure } from './oauth-failure.js';

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/u;

export const isLoopbackUrl = (url: URL): boolean => LOOPBACK.test(url.hostname);

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
