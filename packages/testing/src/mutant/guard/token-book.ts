import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { isObject } from '../../json-rpc/message.js';
import type { TokenClaims } from '../mutation/protection.js';

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A code that was handed out, and what for. */
export interface CodeGrant {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly challenge: string | undefined;
  readonly resource: string;
}

/** Everything that the authorization server of the reference has issued. */
export class TokenBook {
  readonly codes = new Map<string, CodeGrant>();
  readonly refreshTokens = new Map<string, CodeGrant>();
  /** The redirect URIs of each client. */
  readonly clients = new Map<string, readonly string[]>();
  readonly #key = randomBytes(32);

  mint(claims: TokenClaims): string {
    const text = `${part({ alg: 'HS256', typ: 'at+jwt' })}.${part({ ...claims, jti: randomBytes(8).toString('hex') })}`;
    return `${text}.${this.#sign(text)}`;
  }

  /** The claims of a token that was issued here, whatever they are. */
  read(token: string | undefined): TokenClaims | undefined {
    const [head, body, signature, ...rest] = (token ?? '').split('.');
    if (head === undefined || body === undefined || signature === undefined || rest.length > 0) return undefined;
    const [given, right] = [Buffer.from(signature), Buffer.from(this.#sign(`${head}.${body}`))];
    if (given.length !== right.length || !timingSafeEqual(given, right)) return undefined;
    const claims: unknown = JSON.parse(Buffer.from(body, 'base64url').toString('utf8'));
    return isObject(claims) ? (claims as unknown as TokenClaims) : undefined;
  }

  code(grant: CodeGrant): string {
    const code = randomBytes(16).toString('hex');
    this.codes.set(code, grant);
    return code;
  }

  refreshToken(grant: CodeGrant): string {
    const token = randomBytes(16).toString('hex');
    this.refreshTokens.set(token, grant);
    return token;
  }

  #sign(text: string): string {
    return createHmac('sha256', this.#key).update(text).digest('base64url');
  }
}
