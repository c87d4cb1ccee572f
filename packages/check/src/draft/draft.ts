import { PlugboardError } from '@plugboard/contract';
import { authenticated } from '../auth/authenticated.js';
import { findFacts } from '../discovery/find-facts.js';
import { readList, toListedTool } from '../probe/lists.js';
import { draftTarget } from './draft-target.js';
import type { CheckTarget } from '../target/target.js';
import { openLink } from '../locate/open-link.js';
import type { PlaceOptions } from '../locate/place.js';

/** Looks at a live server and writes the target file for it. */
export const draftTargetFile = async (
  target: CheckTarget,
  options: PlaceOptions & { readonly signal?: AbortSignal },
): Promise<string> => {
  const signal = options.signal ?? AbortSignal.timeout(target.budgets.runMs);
  const reach = async () =>
    await findFacts(
      await openLink(
        await authenticated(target, { ...options, ms: target.budgets.requestMs, signal }),
        options,
        signal,
      ),
      target.era,
    );
  const facts = await reach().catch((error: unknown) => {
    const why = error instanceof Error ? error.message : 'it did not answer.';
    throw new PlugboardError('UPSTREAM_REFUSED', `The server cannot be checked: ${why}`, {
      hint: 'Check the address, the headers and the program.',
    });
  });
  try {
    const session = facts.sessions.modern ?? facts.sessions.legacy;
    const tools = session === undefined ? [] : await readList(session, 'tools/list', 'tools');
    return draftTarget(target, tools.map(toListedTool));
  } finally {
    await Promise.allSettled(Object.values(facts.sessions).map((session) => session.close()));
  }
};
