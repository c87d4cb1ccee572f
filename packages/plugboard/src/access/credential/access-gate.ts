import { LOCAL_PRINCIPAL, PlugboardError, toPlugboardError, type Principal } from '@plugboard/contract';
import type { ApiKeys } from '@plugboard/registry';
import { sameSecret } from './same-secret.js';
import type { Throttle } from './throttle.js';

/** What a request says of its sender. */
export interface Credentials {
  readonly authorization: string | undefined;
  readonly apiKey: string | undefined;
  /** Where it comes from. */
  readonly address: string;
}

/** Verifies access tokens of an authorization server. Throws UNAUTHENTICATED. */
export type VerifyToken = (token: string) => Promise<Principal>;

export interface AccessGateParts {
  readonly keys: Pick<ApiKeys, 'authenticate' | 'exist'>;
  readonly throttle: Throttle;
  /** Keys are demanded although none was made yet. */
  readonly required: boolean;
  /** Others than this machine reach the hub: nobody is let in without a key, also when the last one was deleted. */
  readonly reachable?: boolean | undefined;
  /** A key of the operator's own choice, with every right. */
  readonly adminKey: string | undefined;
  /** Known only to this process and to users who can read its home. */
  readonly localKey: string;
  readonly verifyToken: VerifyToken | undefined;
}

const BEARER = /^Bearer +(?<token>\S+)$/iu;

const unknown = (): PlugboardError =>
  new PlugboardError('UNAUTHENTICATED', 'The hub does not know these credentials.', {
    hint: 'Send a key as "Authorization: Bearer pb_…", or a token that this hub accepts.',
  });

const credentialOf = ({ authorization, apiKey }: Omit<Credentials, 'address'>): string | undefined => {
  if (authorization === undefined) return apiKey;
  const token = BEARER.exec(authorization)?.groups?.['token'];
  if (token === undefined) throw unknown();
  return token;
};

/**
 * Finds out who makes a request. Administrators must authenticate, also on loopback: other users of the machine
 * reach that, too. Callers of tools need no credentials until access is controlled.
 */
export class AccessGate {
  readonly #parts: AccessGateParts;

  constructor(parts: AccessGateParts) {
    this.#parts = parts;
  }

  /** Must callers of tools say who they are? */
  async demanded(): Promise<boolean> {
    return this.#demanded();
  }

  /** Undefined for somebody who does not say; throws UNAUTHENTICATED or RATE_LIMITED for somebody who lies. */
  async identify(credentials: Credentials): Promise<Principal | undefined> {
    const credential = credentialOf(credentials);
    return credential === undefined ? undefined : this.#verified(credential, credentials.address);
  }

  /** The same for a caller of tools, who need not say on a hub without access control. At once where nothing is known. */
  identifyCaller(credentials: Credentials): Principal | Promise<Principal | undefined> {
    if (credentials.authorization !== undefined || credentials.apiKey !== undefined) return this.identify(credentials);
    const demanded = this.#parts.reachable === true || this.#demanded();
    // On a hub without keys nobody waits for anything.
    if (demanded instanceof Promise) return demanded.then((wanted) => (wanted ? undefined : LOCAL_PRINCIPAL));
    return demanded ? Promise.resolve(undefined) : LOCAL_PRINCIPAL;
  }

  /** Are these still good? Asking is no attempt to get in, so wrong ones are not counted. */
  async accepts(credentials: Omit<Credentials, 'address'>): Promise<boolean> {
    try {
      const credential = credentialOf(credentials);
      if (credential !== undefined) await this.#whose(credential);
      return credential !== undefined;
    } catch (thrown) {
      return toPlugboardError(thrown).code !== 'UNAUTHENTICATED';
    }
  }

  #demanded(): boolean | Promise<boolean> {
    const { required, adminKey, verifyToken, keys } = this.#parts;
    return required || adminKey !== undefined || verifyToken !== undefined || keys.exist();
  }

  async #verified(credential: string, address: string): Promise<Principal> {
    try {
      return await this.#whose(credential);
    } catch (thrown) {
      if (toPlugboardError(thrown).code === 'UNAUTHENTICATED') this.#parts.throttle.noteWrong(address, credential);
      throw thrown;
    }
  }

  async #whose(credential: string): Promise<Principal> {
    const { localKey, adminKey, verifyToken, keys } = this.#parts;
    if (sameSecret(credential, localKey)) return LOCAL_PRINCIPAL;
    if (adminKey !== undefined && sameSecret(credential, adminKey)) return { id: 'admin-key', role: 'admin' };
    if (credential.startsWith('pb_')) return keys.authenticate(credential);
    if (verifyToken !== undefined) return verifyToken(credential);
    throw unknown();
  }
}
