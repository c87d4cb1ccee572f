import type { KoaContextWithOIDC } from 'oidc-provider';

/** What an authorization server does wrong. Every member can be changed while it runs. */
export interface Misbehaviour {
  /** How long the token endpoint takes. */
  slowMs?: number | undefined;
  /** What a refresh is answered with. */
  refresh?: 'server-error' | 'unavailable' | 'invalid-grant' | 'invalid-client' | 'page' | undefined;
  omitExpiresIn?: boolean | undefined;
  /** Seconds that the answer promises, whatever the token is good for. */
  expiresIn?: number | undefined;
  omitRefreshToken?: boolean | undefined;
  omitTokenType?: boolean | undefined;
  /** 201 in place of 200, as some servers have it. */
  tokenStatus?: number | undefined;
  iss?: 'wrong' | 'omit' | 'with-slash' | undefined;
  /** The issuer that the metadata names. */
  metadataIssuer?: string | undefined;
  /** Metadata without these members. */
  omitMetadata?: readonly string[] | undefined;
  revocation?: 'server-error' | undefined;
}

const REFRESH_ANSWERS = {
  'server-error': [500, { error: 'server_error', error_description: 'it broke' }],
  unavailable: [503, 'down for maintenance'],
  'invalid-grant': [400, { error: 'invalid_grant', error_description: 'grant request is invalid' }],
  'invalid-client': [401, { error: 'invalid_client', error_description: 'client authentication failed' }],
  page: [200, '<!doctype html><title>Log in</title>'],
} as const;

const without = (body: unknown, members: readonly string[]): unknown =>
  typeof body === 'object' && body !== null
    ? Object.fromEntries(Object.entries(body).filter(([name]) => !members.includes(name)))
    : body;

const spoilTokens = (ctx: KoaContextWithOIDC, how: Misbehaviour): void => {
  if (ctx.status !== 200) return;
  ctx.body = without(ctx.body, [
    ...(how.omitExpiresIn === true ? ['expires_in'] : []),
    ...(how.omitRefreshToken === true ? ['refresh_token'] : []),
    ...(how.omitTokenType === true ? ['token_type'] : []),
  ]);
  if (how.expiresIn !== undefined) ctx.body = { ...(ctx.body as object), expires_in: how.expiresIn };
  if (how.tokenStatus !== undefined) ctx.status = how.tokenStatus;
};

const spoilMetadata = (ctx: KoaContextWithOIDC, how: Misbehaviour): void => {
  const kept = without(ctx.body, how.omitMetadata ?? []);
  ctx.body = how.metadataIssuer === undefined ? kept : { ...(kept as object), issuer: how.metadataIssuer };
};

/** Changes `iss` in the URL that the browser is sent back to. */
export const spoilRedirect = (location: string, how: Misbehaviour): string => {
  if (how.iss === undefined || !URL.canParse(location)) return location;
  const url = new URL(location);
  const iss = url.searchParams.get('iss');
  if (iss === null) return location;
  if (how.iss === 'omit') url.searchParams.delete('iss');
  else url.searchParams.set('iss', how.iss === 'wrong' ? 'https://evil.example' : `${iss}/`);
  return url.href;
};

/** Spoils answers of the provider after they were made. */
export const spoil = (ctx: KoaContextWithOIDC, how: Misbehaviour): void => {
  if (ctx.path.startsWith('/.well-known/')) spoilMetadata(ctx, how);
  if (ctx.path === '/token') spoilTokens(ctx, how);
  const location: unknown = ctx.response.headers['location'];
  if (typeof location === 'string') ctx.set('location', spoilRedirect(location, how));
};

export const refreshAnswer = (how: NonNullable<Misbehaviour['refresh']>): readonly [number, string | object] =>
  REFRESH_ANSWERS[how];
