import { type Era, findRevision, isJsonObject, META_KEY } from '@plugboard/wire';

/** Methods that only ever existed in the modern era. */
const MODERN_METHODS: ReadonlySet<string> = new Set(['server/discover', 'subscriptions/listen']);

export type HeaderFields = Readonly<Record<string, string | readonly string[] | undefined>>;

export const headerText = (headers: HeaderFields, name: string): string | undefined => {
  const value = headers[name];
  return typeof value === 'string' ? value : value?.join(', ');
};

/** The era of one message: what its metadata says, else the version header, else its method. */
export const eraOf = (message: object, headers: HeaderFields): Era => {
  const { method, params } = message as { readonly method?: unknown; readonly params?: unknown };
  const meta = isJsonObject(params) ? params['_meta'] : undefined;
  if (isJsonObject(meta) && Object.hasOwn(meta, META_KEY.protocolVersion)) return 'modern';
  const version = headerText(headers, 'mcp-protocol-version');
  if (version !== undefined && findRevision(version)?.era === 'modern') return 'modern';
  return typeof method === 'string' && MODERN_METHODS.has(method) ? 'modern' : 'legacy';
};
