import { isObject, type JsonObject } from '../connection/json.js';
import { withoutSecrets } from '../detect/secret.js';
import type { Mask } from '../target/mask-secrets.js';

const REDACTED = '[redacted]';
/** Members whose values are secret whatever they look like. */
const SECRET_NAME =
  /^(?:authorization|cookie|set-cookie|passphrase|secret|token|.*(?:password|passwd|api[-_]?key|auth[-_]?token|access[-_]?token|refresh[-_]?token|client[-_]?secret|private[-_]?key))$/iu;

/** Schemas describe members with telling names; they do not hold their values. */
const SCHEMAS: ReadonlySet<string> = new Set(['inputSchema', 'outputSchema', 'requestedSchema']);

const redacted = (value: unknown, mask: Mask, inSchema = false): unknown => {
  if (typeof value === 'string') return withoutSecrets(mask(value), REDACTED);
  if (Array.isArray(value)) return value.map((element) => redacted(element, mask, inSchema));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      SECRET_NAME.test(name) && inner !== null && (!inSchema || typeof inner === 'string')
        ? REDACTED
        : redacted(inner, mask, inSchema || SCHEMAS.has(name)),
    ]),
  );
};

/** A message without secrets: those of the target, those with a known form, and members with a telling name. */
export const redactMessage = (message: JsonObject, mask: Mask): JsonObject => redacted(message, mask) as JsonObject;
