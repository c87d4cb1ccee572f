import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const ALGORITHM = 'aes-256-gcm';

const digest = (purpose: string, id: string): Buffer => createHash('sha256').update(`${purpose} ${id}`).digest();

/** What the store knows a session by. */
export const sessionKey = (id: string, purpose = 'session'): string =>
  digest(`${purpose} key`, id).toString('base64url');

/**
 * Hides what is kept of one session from everybody who does not have its id: the id is random, the store has only a digest
 * of it, and the client brings it along.
 */
export class SessionSeal {
  /** Under which the session is kept. */
  readonly key: string;
  readonly #secret: Buffer;

  /** `purpose` keeps different kinds of sessions apart. */
  constructor(id: string, purpose = 'session') {
    this.key = sessionKey(id, purpose);
    this.#secret = digest(`${purpose} secret`, id);
  }

  seal(text: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.#secret, nonce);
    const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([sealed, cipher.getAuthTag()]).toString('base64');
  }

  /** Undefined for what was not sealed with the id of this session, or was changed. */
  open(sealed: string): string | undefined {
    const bytes = Buffer.from(sealed, 'base64');
    if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
    const nonce = bytes.subarray(0, NONCE_BYTES);
    const decipher = createDecipheriv(ALGORITHM, this.#secret, nonce, { authTagLength: TAG_BYTES });
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    try {
      return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]).toString();
    } catch {
      return undefined;
    }
  }
}
