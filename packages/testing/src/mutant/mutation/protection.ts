import type { JsonObject } from '../../json-rpc/message.js';
import type { HttpAnswered, HttpAsked } from './mutation.js';

/** What a token is good for. */
export interface TokenClaims {
  readonly sub: string;
  readonly aud: string;
  readonly scope: string;
  /** Seconds since 1970. */
  readonly exp: number;
}

/**
 * A reference server behind OAuth, and what is wrong with it. Every member is a defect; what is absent is done right.
 */
export interface Protection {
  /** Changes the metadata of the protected resource. */
  readonly resourceMetadata?: (document: JsonObject) => JsonObject;
  /** Changes the metadata of the authorization server. */
  readonly serverMetadata?: (document: JsonObject) => JsonObject;
  /** Where the metadata of the authorization server is; default: where RFC 8414 has it. */
  readonly discovery?: 'openid';
  /** Changes the refusal of a request. */
  readonly refusal?: (answered: HttpAnswered, asked: HttpAsked) => HttpAnswered;
  /** Changes an answer of the authorization server or of its metadata. */
  readonly answer?: (
    answered: HttpAnswered & { readonly body: string },
    path: string,
  ) => HttpAnswered & { readonly body: string };
  /** Takes a request that it should refuse; `claims` are those of its token, if it has a genuine one. */
  readonly accepts?: (asked: HttpAsked, claims: TokenClaims | undefined) => boolean;
  /** Codes are given without a challenge, and exchanged whatever the verifier. */
  readonly ignoresPkce?: boolean;
  readonly verifiesNothing?: boolean;
  readonly reusesCodes?: boolean;
  readonly keepsRefreshTokens?: boolean;
  readonly redirectsAnywhere?: boolean;
  readonly registersAnything?: boolean;
  readonly takesAnyClientUrl?: boolean;
  readonly refusesResource?: boolean;
  readonly omitsIssuer?: boolean;
  /** The token of the client goes to the server behind, and on from there. */
  readonly passesToken?: boolean;
  /** What belongs to one user serves another as well. */
  readonly sharesHandles?: 'session' | 'state' | 'task';
}
