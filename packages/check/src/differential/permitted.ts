import { isObject, type JsonObject } from '../connection/json.js';

/** What may differ between two ways to the same server, and why. The documentation lists it from here. */
export const PERMITTED: readonly { readonly what: string; readonly why: string }[] = [
  { what: 'the order of elements of a list, and where its pages end', why: 'nothing prescribes them' },
  { what: '`_meta` at any level', why: 'it belongs to the side that adds it' },
  {
    what: 'the names, versions and instructions of the server, its revision, and flags of its capabilities',
    why: 'a hub introduces itself, and an era decides what can be announced',
  },
  { what: 'texts and data of errors', why: 'only codes are prescribed' },
  {
    what: 'whether a call with wrong arguments or an unknown name is refused with -32602 or with a result that says `isError`',
    why: 'the specification allows both',
  },
  {
    what: 'between eras: `resultType`, `ttlMs`, `cacheScope`, `execution` of tools, -32002 for -32602, and how a call is refused that a client without capabilities may not make (-32021)',
    why: 'only one of the eras has them',
  },
  {
    what: 'values of tools that answer differently each time, as far as their form stays the same',
    why: 'the same tool was asked twice on one side first',
  },
];

const ENVELOPE = new Set(['_meta', 'resultType', 'ttlMs', 'cacheScope', 'nextCursor']);

const withoutMeta = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutMeta);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== '_meta')
      .map(([key, inner]) => [key, withoutMeta(inner)]),
  );
};

/** A result without what belongs to its era or to its transport. */
export const essence = (result: JsonObject | undefined): unknown =>
  result === undefined
    ? undefined
    : withoutMeta(Object.fromEntries(Object.entries(result).filter(([key]) => !ENVELOPE.has(key))));

/** An element of a list, as it is compared. */
export const definitionEssence = (element: JsonObject, acrossEras: boolean): unknown => {
  const { execution, ...rest } = element;
  return withoutMeta(acrossEras || execution === undefined ? rest : { ...rest, execution });
};

/** What stays the same when only values change. */
export const formOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.length === 0 ? [] : [formOf(value[0])];
  if (!isObject(value)) return value === null ? 'null' : typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, formOf(inner)]));
};
