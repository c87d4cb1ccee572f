import { isJsonObject, type JsonObject } from '@plugboard/wire';

/** The member when it is an object, else an empty one. */
export const objectAt = (holder: JsonObject | undefined, name: string): JsonObject => {
  const value = holder?.[name];
  return isJsonObject(value) ? value : {};
};

export const textAt = (holder: JsonObject | undefined, name: string): string | undefined => {
  const value = holder?.[name];
  return typeof value === 'string' ? value : undefined;
};

export const withoutMembers = (holder: JsonObject, names: ReadonlySet<string>): JsonObject =>
  Object.fromEntries(Object.entries(holder).filter(([name]) => !names.has(name)));

/** Changes `_meta`; one that is left empty disappears. */
export const withMeta = (holder: JsonObject, change: (meta: JsonObject) => JsonObject): JsonObject => {
  const { _meta: _old, ...rest } = holder;
  const meta = change(objectAt(holder, '_meta'));
  return Object.keys(meta).length === 0 ? rest : { ...rest, _meta: meta };
};
