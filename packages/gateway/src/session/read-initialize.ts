import { jsonSize, PlugboardError } from '@plugboard/contract';
import { isJsonObject, type JsonObject } from '@plugboard/wire';

/** What a legacy client says of itself in initialize. */
export interface Introduction {
  readonly protocolVersion: string;
  readonly capabilities: JsonObject;
  readonly clientInfo: JsonObject;
}

/** What a client says of itself is kept as long as its session. */
const MAX_CHARS = 32 * 1024;

/** Throws INVALID_ARGUMENT for a client that says more of itself than anybody needs. */
export const checkIntroduction = (capabilities: JsonObject, clientInfo: JsonObject | undefined): void => {
  const chars = jsonSize([capabilities, clientInfo ?? {}], MAX_CHARS);
  if (chars <= MAX_CHARS) return;
  throw new PlugboardError(
    'INVALID_ARGUMENT',
    `The capabilities and the clientInfo of the client have more than ${MAX_CHARS} characters together.`,
    { hint: 'Send icons by URL, and leave out what servers do not need to know.' },
  );
};

const wrong = (value: unknown, member: string, kind: string): PlugboardError => {
  const problem = value === undefined ? `is missing; it must be ${kind}` : `must be ${kind}`;
  return new PlugboardError('INVALID_ARGUMENT', `"${member}" in the params of initialize ${problem}.`, {
    hint: 'Send protocolVersion, capabilities (may be {}) and clientInfo with name and version.',
  });
};

const textIn = (holder: JsonObject, name: string, member = name): string => {
  const value = holder[name];
  if (typeof value !== 'string') throw wrong(value, member, 'a string');
  return value;
};

const objectIn = (holder: JsonObject, name: string): JsonObject => {
  const value = holder[name];
  if (!isJsonObject(value)) throw wrong(value, name, 'an object');
  return value;
};

/** Reads the params of initialize. Servers get to see them, too, so what is wrong is said here and not by one of those. */
export const readInitialize = (params: unknown): Introduction => {
  const said = isJsonObject(params) ? params : {};
  const protocolVersion = textIn(said, 'protocolVersion');
  const capabilities = objectIn(said, 'capabilities');
  const clientInfo = objectIn(said, 'clientInfo');
  for (const name of ['name', 'version']) textIn(clientInfo, name, `clientInfo.${name}`);
  checkIntroduction(capabilities, clientInfo);
  return { protocolVersion, capabilities, clientInfo };
};
