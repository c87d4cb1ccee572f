import { hideSecretMembers, isSecretMember, namesSecret } from '@plugboard/contract';
import { isObject, type JsonObject } from '../connection/json.js';
import { withoutSecrets } from '../detect/secret.js';
import type { Mask } from '../target/mask-secrets.js';

const REDACTED = '[redacted]';
/** Schemas describe members with telling names; they do not hold their values. */
const SCHEMAS: ReadonlySet<string> = new Set(['inputSchema', 'outputSchema', 'requestedSchema']);

/** A parameter in the query of a URL. */
const PARAMETER = /(?<before>[?&])(?<name>[\w.-]{1,64})=[^&\s"'#<>\\]+/gu;

const hideParameters = (text: string): string =>
  text.replaceAll(PARAMETER, (whole, before: string, name: string) =>
    namesSecret(name) ? `${before}${name}=${REDACTED}` : whole,
  );

const textWithout = (text: string): string =>
  withoutSecrets(hideParameters(hideSecretMembers(text, REDACTED)), REDACTED);

const redacted = (value: unknown, mask: Mask, inSchema = false): unknown => {
  if (typeof value === 'string') return textWithout(mask(value));
  if (Array.isArray(value)) return value.map((element) => redacted(element, mask, inSchema));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      isSecretMember(name) && inner !== null && (!inSchema || typeof inner === 'string')
        ? REDACTED
        : redacted(inner, mask, inSchema || SCHEMAS.has(name)),
    ]),
  );
};

/** A message without secrets: those of the target, those with a known form, and members with a telling name, also in the text of a document. */
export const redactMessage = (message: JsonObject, mask: Mask): JsonObject => redacted(message, mask) as JsonObject;
