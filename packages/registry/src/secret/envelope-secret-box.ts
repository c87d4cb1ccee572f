import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { PlugboardError } from '@plugboard/contract';
import type { RotatingSecretBox } from './secret-box.js';

const CIPHER = 'aes-256-gcm';
const FORMAT = 'v1';
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

export interface EnvelopeSecretBoxOptions {
  /** 32 bytes. New secrets are sealed with this key. */
  readonly masterKey: Uint8Array;
  /** Keys of the past, which open what was sealed with them. */
  readonly retiredKeys?: readonly Uint8Array[] | undefined;
}

const encrypt = (key: Uint8Array, plain: Uint8Array, associated: string): string => {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, key, iv).setAAD(Buffer.from(associated));
  const body = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([iv, body, cipher.getAuthTag()]).toString('base64url');
};

const decrypt = (key: Uint8Array, sealed: string, associated: string): Buffer => {
  const bytes = Buffer.from(sealed, 'base64url');
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(associated)).setAuthTag(bytes.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]);
};

/** Says which key sealed a text without saying anything about the key. */
const keyId = (key: Uint8Array): string =>
  createHash('sha256').update('plugboard master key id').update(key).digest('hex').slice(0, 16);

const unreadable = (cause?: unknown): PlugboardError =>
  new PlugboardError('SECRET_UNREADABLE', 'A stored secret cannot be decrypted with the master key of this hub.', {
    hint: 'Start the hub with the master key that encrypted it, or set the secret again.',
    cause,
  });

const keyIdOf = (sealed: string): string => sealed.split('.')[1] ?? '';

/** Envelope encryption: each text has a random data key, which is wrapped by the master key. */
export const createEnvelopeSecretBox = (options: EnvelopeSecretBoxOptions): RotatingSecretBox => {
  const keys = new Map<string, Uint8Array>();
  const add = (key: Uint8Array): string => {
    if (key.length !== KEY_BYTES) throw new PlugboardError('CONFIG_INVALID', 'A master key must be 32 bytes long.');
    const id = keyId(key);
    keys.set(id, key);
    return id;
  };
  for (const key of options.retiredKeys ?? []) add(key);
  let current = { id: add(options.masterKey), key: options.masterKey };
  const binding = (id: string, place: string): string => `${FORMAT}|${id}|${place}`;

  return {
    adopt: (key) => {
      current = { id: add(key), key };
    },
    isCurrent: (sealed) => keyIdOf(sealed) === current.id,
    hasKeyOf: (sealed) => keys.has(keyIdOf(sealed)),
    seal: (text, place) => {
      const { id, key } = current;
      const dataKey = randomBytes(KEY_BYTES);
      const associated = binding(id, place);
      return [FORMAT, id, encrypt(key, dataKey, associated), encrypt(dataKey, Buffer.from(text), associated)].join('.');
    },
    open: (sealed, place) => {
      const [format, id, wrapped, body, ...rest] = sealed.split('.');
      const key = keys.get(id ?? '');
      if (format !== FORMAT || id === undefined || wrapped === undefined || body === undefined) throw unreadable();
      if (key === undefined || rest.length > 0) throw unreadable();
      try {
        const associated = binding(id, place);
        return decrypt(decrypt(key, wrapped, associated), body, associated).toString('utf8');
      } catch (cause) {
        throw unreadable(cause);
      }
    },
  };
};
