import { anySignal } from '../connection/any-signal.js';
import { toolDefinition, type ToolDefinition } from '@plugboard/contract';
import { authenticated } from '../auth/authenticated.js';
import { at, isObject, listAt, show } from '../connection/json.js';
import { findFacts } from '../discovery/find-facts.js';
import { checkedServerOf } from '../discovery/server-facts.js';
import { openLink } from '../locate/open-link.js';
import type { PlaceOptions } from '../locate/place.js';
import { describe } from '../session/answer.js';
import type { Session } from '../session/session.js';
import { secretMask } from '../target/mask-secrets.js';
import type { CheckTarget } from '../target/target.js';
import type { Offer } from './offer.js';

const MAX_PAGES = 1_000;

const toDefinition = (value: unknown): ToolDefinition => {
  const parsed = toolDefinition.safeParse(value);
  if (parsed.success) return parsed.data;
  const name = show(at(value, 'name'));
  throw new Error(`The definition of the tool "${name}" is malformed. \`plugboard lint\` shows what is wrong with it.`);
};

/** Every tool, page by page. Unlike a check, a lock cannot do with a part of the list. */
export const readTools = async (session: Session): Promise<readonly ToolDefinition[]> => {
  if (!isObject(session.capabilities['tools'])) return [];
  const tools: ToolDefinition[] = [];
  let cursor: unknown;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const answer = await session.request('tools/list', cursor === undefined ? undefined : { cursor });
    if (answer.result === undefined) throw new Error(`The server answered tools/list with ${describe(answer)}.`);
    tools.push(...listAt(answer.result, 'tools').map(toDefinition));
    cursor = answer.result['nextCursor'];
    if (typeof cursor !== 'string') return tools;
  }
  throw new Error(`The list of tools has more than ${MAX_PAGES} pages.`);
};

/** Reads what a server offers, in the newest era that it speaks. Rejects with `Unreachable` when nothing answers. */
export const readOffer = async (
  given: CheckTarget,
  options: PlaceOptions & { readonly signal?: AbortSignal | undefined },
): Promise<Offer> => {
  const deadline = AbortSignal.timeout(given.budgets.runMs);
  const signal = anySignal(deadline, options.signal);
  const target = await authenticated(given, { ...options, ms: given.budgets.requestMs, signal });
  const mask = secretMask(target);
  const link = await openLink(target, options, signal);
  const facts = await findFacts(link, target.era);
  try {
    const session = facts.sessions.modern ?? facts.sessions.legacy;
    if (session === undefined) {
      throw new Error('The server requires a token. Give one with --token or in a target file.');
    }
    const instructions = at(session.opening.result, 'instructions');
    return {
      tools: await readTools(session),
      instructions: typeof instructions === 'string' ? instructions : '',
      transport: session.transport,
      era: session.era,
      server: checkedServerOf(facts),
    };
  } catch (error) {
    throw error instanceof Error ? Object.assign(error, { message: mask(error.message) }) : error;
  } finally {
    await Promise.allSettled(Object.values(facts.sessions).map((session) => session.close()));
  }
};
