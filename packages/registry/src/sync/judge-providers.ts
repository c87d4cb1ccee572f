import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { ProviderVerdicts, ServerId } from '@plugboard/contract';
import { providerVerdicts } from '@plugboard/schema';
import type { Store, StoredTool } from '../store/store.js';

/** Longer lists are stored and offered before anybody looks what each provider would say of them. */
export const MANY_TOOLS = 500;

const TOOLS_PER_TURN = 5;
const PAUSE_MS = 50;
/** Callers that waited for the list are served first. */
const FIRST_PAUSES = 20;

export interface JudgeOptions {
  readonly tools: readonly StoredTool[];
  readonly isOver: () => boolean;
  /** Is there something more urgent? */
  readonly mustWait: () => boolean;
}

/** Stores the verdicts of those tools that are still what they were when they were judged. */
const storeVerdicts = (
  store: Store,
  id: ServerId,
  verdicts: ReadonlyMap<string, { readonly contractHash: string; readonly providers: ProviderVerdicts }>,
): Promise<void> =>
  store.transaction(async (transaction) => {
    const judged = (await transaction.tools(id)).flatMap((tool): StoredTool[] => {
      const verdict = verdicts.get(tool.id);
      return verdict?.contractHash === tool.contractHash ? [{ ...tool, providers: verdict.providers }] : [];
    });
    await transaction.putTools(judged);
  });

/** Judges the tools that nobody has judged yet, in the background: it takes far longer than reading and storing them. */
export const judgeProviders = async (
  store: Store,
  id: ServerId,
  { tools, isOver, mustWait }: JudgeOptions,
): Promise<void> => {
  const verdicts = new Map<string, { readonly contractHash: string; readonly providers: ProviderVerdicts }>();
  for (let each = 0; each < FIRST_PAUSES && !isOver(); each += 1) await pause(PAUSE_MS);
  const left = tools.filter(({ providers }) => providers === undefined);
  for (const [index, { id: toolId, contractHash, definition }] of left.entries()) {
    if (index % TOOLS_PER_TURN === 0) await nextTurn();
    // Somebody waits for a list; nobody waits for verdicts.
    while (mustWait() && !isOver()) await pause(PAUSE_MS);
    if (isOver()) return;
    verdicts.set(toolId, { contractHash, providers: providerVerdicts(definition) });
  }
  if (verdicts.size > 0) await storeVerdicts(store, id, verdicts);
};
