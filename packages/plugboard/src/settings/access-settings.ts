import { isLoopbackHost, parseNetwork } from '@plugboard/base';
import { PlugboardError, Secret } from '@plugboard/contract';
import { z } from 'zod';

const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'] as const;
const MIN_KEY_LENGTH = 24;

const httpsOrLoopback = z
  .url({ protocol: /^https?$/u })
  .refine((url) => url.startsWith('https:') || isLoopbackHost(new URL(url).hostname), 'must be https');

export const accessFile = z
  .strictObject({
    required: z
      .boolean()
      .optional()
      .describe('require a key for every tool call, even on loopback and before the first key exists'),
    maxFailures: z
      .number()
      .int()
      .min(1)
      .max(1_000_000)
      .optional()
      .describe('wrong credentials allowed per minute, for each address and for each key; default: 20'),
    trustProxy: z
      .array(
        z
          .string()
          .refine((text) => parseNetwork(text) !== undefined, 'must be an address or a network such as 10.0.0.0/8'),
      )
      .optional()
      .describe('proxies whose X-Forwarded-For header is trusted: addresses, or networks such as 10.0.0.0/8'),
    oauth: z
      .strictObject({
        issuer: httpsOrLoopback.describe('the issuer of accepted tokens'),
        audience: z.string().min(1).describe('the audience that tokens must have: the URL of this hub'),
        jwksUri: httpsOrLoopback.optional().describe("the URL of the issuer's keys; enables JWTs"),
        introspection: z
          .strictObject({
            endpoint: httpsOrLoopback.describe('the introspection endpoint of the issuer'),
            clientId: z.string().min(1).max(2048).describe('the client id of the hub at that endpoint'),
            clientSecretFile: z
              .string()
              .min(1)
              .optional()
              .describe('a file with the client secret; default: the variable PLUGBOARD_INTROSPECTION_SECRET'),
            cacheSeconds: z
              .number()
              .min(0)
              .max(3600)
              .optional()
              .describe('how long a response is cached, in seconds; default: 30'),
          })
          .optional()
          .describe('validate tokens by introspection (RFC 7662); enables opaque tokens'),
        algorithms: z
          .array(z.enum(ALGORITHMS))
          .min(1)
          .optional()
          .describe('accepted signature algorithms; default: RS256, ES256 and EdDSA'),
        clockSkew: z
          .number()
          .min(0)
          .max(300)
          .optional()
          .describe('tolerated clock difference, in seconds; default: 30'),
        roleClaim: z
          .string()
          .min(1)
          .optional()
          .describe('the claim that contains the role; default: scopes such as plugboard:operator'),
        agentClaim: z.string().min(1).optional().describe('the claim that contains the id of the agent'),
      })
      .refine(({ jwksUri, introspection }) => jwksUri !== undefined || introspection !== undefined, {
        message: 'needs jwksUri, introspection, or both',
      })
      .optional()
      .describe('accept access tokens from an authorization server'),
  })
  .describe('who may use the hub');

/** Where tokens are asked about, and who asks. */
export interface IntrospectionSettings {
  readonly endpoint: string;
  readonly clientId: string;
  readonly clientSecret: Secret;
  /** How long an answer is believed. */
  readonly cacheSeconds: number;
}

/** Whose tokens are accepted, and how they are judged. */
export interface TokenSettings {
  readonly issuer: string;
  readonly audience: string;
  /** Where keys are published; undefined where JWTs are not accepted by themselves. */
  readonly jwksUri: string | undefined;
  readonly introspection: IntrospectionSettings | undefined;
  readonly algorithms: readonly string[];
  readonly clockSkewSeconds: number;
  readonly roleClaim: string | undefined;
  readonly agentClaim: string | undefined;
}

export interface AccessSettings {
  readonly required: boolean;
  /** How many wrong credentials one address may send in a minute. */
  readonly maxFailures: number;
  /** Proxies whose X-Forwarded-For is believed: addresses or networks. */
  readonly trustProxy: readonly string[];
  /** A key of the operator's own choice, with every right. */
  readonly adminKey: string | undefined;
  readonly oauth: TokenSettings | undefined;
}

export const DEFAULT_ACCESS: AccessSettings = {
  required: false,
  maxFailures: 20,
  trustProxy: [],
  adminKey: undefined,
  oauth: undefined,
};

export interface AccessEnvironment {
  readonly accessRequired?: boolean;
  readonly adminKey?: string;
  /** From the environment, or from the file that the settings name. */
  readonly introspectionSecret?: string;
}

const checkedKey = (key: string | undefined): string | undefined => {
  if (key === undefined || key.length >= MIN_KEY_LENGTH) return key;
  throw new PlugboardError('CONFIG_INVALID', `PLUGBOARD_ADMIN_KEY is shorter than ${MIN_KEY_LENGTH} characters.`, {
    hint: 'Generate one with: openssl rand -base64 32',
  });
};

type OAuthFile = NonNullable<z.infer<typeof accessFile>['oauth']>;

const introspectionSettings = (
  file: OAuthFile['introspection'],
  secret: string | undefined,
): IntrospectionSettings | undefined => {
  if (file === undefined) return undefined;
  if (secret === undefined) {
    throw new PlugboardError('CONFIG_INVALID', 'access.oauth.introspection has no client secret.', {
      hint: 'Set PLUGBOARD_INTROSPECTION_SECRET, or name a file with it as clientSecretFile.',
    });
  }
  const { endpoint, clientId, cacheSeconds = 30 } = file;
  return { endpoint, clientId, clientSecret: Secret.of(secret), cacheSeconds };
};

const tokenSettings = (file: OAuthFile, secret: string | undefined): TokenSettings => ({
  issuer: file.issuer,
  audience: file.audience,
  jwksUri: file.jwksUri,
  introspection: introspectionSettings(file.introspection, secret),
  algorithms: file.algorithms ?? ['RS256', 'ES256', 'EdDSA'],
  clockSkewSeconds: file.clockSkew ?? 30,
  roleClaim: file.roleClaim,
  agentClaim: file.agentClaim,
});

export const accessSettings = (
  file: z.infer<typeof accessFile> | undefined,
  { accessRequired, adminKey, introspectionSecret }: AccessEnvironment,
): AccessSettings => ({
  required: accessRequired ?? file?.required ?? DEFAULT_ACCESS.required,
  maxFailures: file?.maxFailures ?? DEFAULT_ACCESS.maxFailures,
  trustProxy: file?.trustProxy ?? DEFAULT_ACCESS.trustProxy,
  adminKey: checkedKey(adminKey),
  oauth: file?.oauth === undefined ? undefined : tokenSettings(file.oauth, introspectionSecret),
});
