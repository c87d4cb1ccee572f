import { isJsonObject, type JsonObject } from '@plugboard/wire';

/** What servers may ask of clients. */
const ASKABLE = ['elicitation', 'roots', 'sampling'] as const;

const sorted = (value: unknown): unknown => {
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .toSorted()
      .map((name) => [name, sorted(value[name])]),
  );
};

/** The part of a client's capabilities that matters to a server, written the same for equal ones. */
export interface CapabilityProfile {
  readonly key: string;
  readonly capabilities: JsonObject;
}

const NONE: CapabilityProfile = { key: '', capabilities: {} };

const read = (capabilities: JsonObject): CapabilityProfile => {
  const entries = ASKABLE.filter((name) => isJsonObject(capabilities[name])).map((name) => {
    const { listChanged: _changed, ...rest } = capabilities[name] as JsonObject;
    return [name, sorted(rest)] as const;
  });
  if (entries.length === 0) return NONE;
  const profile = Object.fromEntries(entries);
  return { key: JSON.stringify(profile), capabilities: profile };
};

/** What a client can do does not change while it is here, so it is looked at once. */
const known = new WeakMap<JsonObject, CapabilityProfile>();

export const profileOf = (capabilities: JsonObject): CapabilityProfile => {
  const found = known.get(capabilities);
  if (found !== undefined) return found;
  if (Object.keys(capabilities).length === 0) return NONE;
  const profile = read(capabilities);
  known.set(capabilities, profile);
  return profile;
};
