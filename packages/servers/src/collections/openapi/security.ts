import type { RequestAuth } from '../model/collection-model.js';
import { listOf, recordOf, textOf } from './openapi-shapes.js';

/** The first way in that can be used; its secrets are variables: `bearerToken`, `username`, `password`, `apiKey`. */
export const authOf = (security: unknown, document: Readonly<Record<string, unknown>>): RequestAuth | undefined => {
  const schemes = recordOf(recordOf(document['components'])['securitySchemes']);
  const choices = listOf(security).map((requirement) => Object.keys(recordOf(requirement)));
  // An empty requirement says that it also works without.
  if (choices.length === 0 || choices.some((names) => names.length === 0)) return undefined;
  const known = choices.flatMap((names) => names.map((name) => schemeAuth(recordOf(schemes[name]))));
  return known.find((auth) => auth.type !== 'unknown') ?? known[0];
};

const schemeAuth = (scheme: Readonly<Record<string, unknown>>): RequestAuth => {
  const type = textOf(scheme['type']);
  const http = textOf(scheme['scheme']).toLowerCase();
  if (type === 'oauth2' || type === 'openIdConnect' || (type === 'http' && http === 'bearer')) {
    return { type: 'bearer', parameters: { token: '{{bearerToken}}' } };
  }
  if (type === 'http' && http === 'basic') {
    return { type: 'basic', parameters: { username: '{{username}}', password: '{{password}}' } };
  }
  const place = textOf(scheme['in']);
  if (type === 'apiKey' && place !== 'cookie') {
    return { type: 'apikey', parameters: { key: textOf(scheme['name']), value: '{{apiKey}}', in: place } };
  }
  return { type: 'unknown', parameters: {} };
};
