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
export const profileOf = (capabilities: JsonObject): { readonly key: string; readonly capabilities: JsonObject } => {
  const entries = ASKABLE.filter((name) => isJsonObject(capabilities[name])).map((name) => {
    const { listChanged: _changed, ...rest } = capabilities[name] as JsonObject;
    return [name, sorted(rest)] as const;
  });
  const profile = Object.fromEntries(entries);
  return { key: entries.length === 0 ? '' : JSON.stringify(profile), capabilities: profile };
};
