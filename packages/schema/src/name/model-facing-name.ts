import { sha256 } from '../document/canonical-json.js';
import { MAX_NAME_LENGTH, sanitise } from './sanitise.js';

export interface NameParts {
  /** The configured name of the server; absent where tools are offered unprefixed. */
  readonly server?: string | undefined;
  /** The name that the server knows. */
  readonly tool: string;
}

const SEPARATOR = '__';
const HASH_LENGTH = 8;

/** `base` made different from all others that look like it, by the hash of what it stands for. */
export const withHash = (base: string, identity: string, length = HASH_LENGTH): string => {
  const hash = sha256(identity).slice(0, length);
  const room = MAX_NAME_LENGTH - length - 1;
  return base === '' ? `tool_${hash}` : `${base.slice(0, room)}_${hash}`;
};

export const identityOf = ({ server, tool }: NameParts): string => JSON.stringify([server ?? null, tool]);

const part = (text: string, identity: string): string => {
  const clean = sanitise(text);
  return clean === '' ? withHash('', identity) : clean;
};

/** `server__tool` before it is cut to length. */
export const fullName = (parts: NameParts): string => {
  const tool = part(parts.tool, identityOf(parts));
  return parts.server === undefined ? tool : `${part(parts.server, parts.server)}${SEPARATOR}${tool}`;
};

/** The name a model sees: always `^[a-zA-Z0-9_-]{1,64}$`, the same for the same parts. Not necessarily unique. */
export const modelFacingName = (parts: NameParts): string => {
  const full = fullName(parts);
  return full.length > MAX_NAME_LENGTH ? withHash(full, identityOf(parts)) : full;
};
