import { createHash } from 'node:crypto';

/** A short name of an issuer for paths: the same for the same issuer, and for no other. */
export const issuerId = (issuer: string): string =>
  createHash('sha256').update(issuer).digest('base64url').slice(0, 16);

const OF_ISSUER = /\/oauth\/callback\/(?<id>[\w-]+)$/u;

/** The issuer whose logins come back here, by its short name; undefined for a place that is for one client alone. */
export const issuerIdIn = (redirectUri: string): string | undefined =>
  OF_ISSUER.exec(new URL(redirectUri).pathname)?.groups?.['id'];
