import type { ToolDefinition } from '@plugboard/contract';
import { compareTools } from '@plugboard/schema';

/** What became of a tool since the agent learned about it. */
export type Drift =
  | { readonly kind: 'none' }
  | { readonly kind: 'removed' }
  | { readonly kind: 'broken'; readonly now: ToolDefinition };

/** Only a change that breaks calls counts: new optional parameters and other words do not. */
export const findDrift = (known: ToolDefinition, listed: readonly ToolDefinition[]): Drift => {
  const now = listed.find(({ name }) => name === known.name);
  if (now === undefined) return { kind: 'removed' };
  const breaks = compareTools(known, now).some(
    ({ kind, pointer }) => kind === 'breaking' && pointer.startsWith('/inputSchema'),
  );
  return breaks ? { kind: 'broken', now } : { kind: 'none' };
};
