/** Where a hub takes MCP, and what opens it. */
export interface HubAddress {
  readonly url: string;
  readonly key: string | undefined;
}

/** The hub of this home as it is now; undefined when none runs. */
export type FindHub = () => Promise<HubAddress | undefined>;

const REFUSED: ReadonlySet<unknown> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH']);

/** Did a request fail before it left? Then nobody can have executed it. */
export const neverLeft = (thrown: unknown): boolean => {
  const cause = thrown instanceof Error ? (thrown.cause as { readonly code?: unknown } | undefined) : undefined;
  return REFUSED.has(cause?.code);
};
