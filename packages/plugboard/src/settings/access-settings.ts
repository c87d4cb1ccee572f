import { PlugboardError } from '@plugboard/contract';
import { z } from 'zod';

const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'] as const;
const MIN_KEY_LENGTH = 24;

const httpsOrLoopback = z
  .url({ protocol: /^https?$/u })
  .refine((url) => url.startsWith('https:') || /^http:\/\/(?:localhost|127\.|\[::1\])/u.test(url), 'must be https');

export const accessFile = z
  .strictObject({
    required: z
      .boolean()
      .optional()
      .describe('demand a key from every caller, also on loopback and before one was made'),
    maxFailures: z
      .number()
      .int()
      .min(1)
      .max(1_000_000)
      .optional()
      .describe('how many wrong credentials one address may send in a minute; 20 when left out'),
    oauth: z
      .strictObject({
        issuer: httpsOrLoopback.describe('whose tokens are accepted'),
        audience: z.string().min(1).describe('what tokens must be meant for: the URL of this hub'),
        jwksUri: httpsOrLoopback.describe('where the issuer publishes its keys'),
        algorithms: z.array(z.enum(ALGORITHMS)).min(1).optional().describe('RS256, ES256 and EdDSA when left out'),
        clockSkew: z
          .number()
          .min(0)
          .max(300)
          .optional()
          .describe('how far clocks may differ, in seconds; 30 when left out'),
        roleClaim: z
          .string()
          .min(1)
          .optional()
          .describe('the claim that names the role; scopes such as plugboard:operator when left out'),
        agentClaim: z.string().min(1).optional().describe('the claim that names the agent, by its id'),
      })
      .optional()
      .describe('accept tokens of an authorization server'),
  })
  .describe('who may use the hub');

/** Whose tokens are accepted, and how they are judged. */
export interface TokenSettings {
  readonly issuer: string;
  readonly audience: string;
  readonly jwksUri: string;
  readonly algorithms: readonly string[];
  readonly clockSkewSeconds: number;
  readonly roleClaim: string | undefined;
  readonly agentClaim: string | undefined;
}

export interface AccessSettings {
  readonly required: boolean;
  /** How many wrong credentials one address may send in a minute. */
  readonly maxFailures: number;
  /** A key of the operator's own choice, with every right. */
  readonly adminKey: string | undefined;
  readonly oauth: TokenSettings | undefined;
}

export const DEFAULT_ACCESS: AccessSettings = {
  required: false,
  maxFailures: 20,
  adminKey: undefined,
  oauth: undefined,
};

export interface AccessEnvironment {
  readonly accessRequired?: boolean;
  readonly adminKey?: string;
}

const checkedKey = (key: string | undefined): string | undefined => {
  if (key === undefined || key.length >= MIN_KEY_LENGTH) return key;
  throw new PlugboardError('CONFIG_INVALID', `PLUGBOARD_ADMIN_KEY is shorter than ${MIN_KEY_LENGTH} characters.`, {
    hint: 'Make one with: openssl rand -base64 32',
  });
};

export const accessSettings = (
  file: z.infer<typeof accessFile> | undefined,
  { accessRequired, adminKey }: AccessEnvironment,
): AccessSettings => ({
  required: accessRequired ?? file?.required ?? DEFAULT_ACCESS.required,
  maxFailures: file?.maxFailures ?? DEFAULT_ACCESS.maxFailures,
  adminKey: checkedKey(adminKey),
  oauth:
    file?.oauth === undefined
      ? undefined
      : {
          issuer: file.oauth.issuer,
          audience: file.oauth.audience,
          jwksUri: file.oauth.jwksUri,
          algorithms: file.oauth.algorithms ?? ['RS256', 'ES256', 'EdDSA'],
          clockSkewSeconds: file.oauth.clockSkew ?? 30,
          roleClaim: file.oauth.roleClaim,
          agentClaim: file.oauth.agentClaim,
        },
});
