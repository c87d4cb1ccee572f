import { randomBytes } from 'node:crypto';
import { canary } from '../../../support/canary.js';

/** One secret for each place where a secret can live. */
export const makeSecrets = () => ({
  bearer: canary('bearer'),
  namedToken: canary('named-token'),
  header: canary('header'),
  urlVariable: canary('url-variable'),
  urlLiteral: canary('url-literal'),
  environment: canary('environment'),
  argumentLiteral: canary('argument-literal'),
  argumentVariable: canary('argument-variable'),
  serverVariable: canary('server-variable'),
  agentVariable: canary('agent-variable'),
  hubVariable: canary('hub-variable'),
  clientSecret: canary('client-secret'),
  refusedToken: canary('refused-token'),
  deadToken: canary('dead-token'),
  invalidBody: canary('invalid-body'),
  toolArgument: canary('tool-argument'),
  adminKey: canary('admin-key'),
  collectorKey: canary('collector-key'),
  masterKey: randomBytes(32).toString('base64'),
});

export type Secrets = ReturnType<typeof makeSecrets>;
