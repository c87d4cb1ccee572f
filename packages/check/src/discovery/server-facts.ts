import type { CheckEra, CheckedServer } from '@plugboard/contract';
import { at } from '../connection/json.js';
import { META } from '../session/meta.js';
import type { Session } from '../session/session.js';

/** What is known of the server before the first check: a conversation per era that it speaks. */
export interface ServerFacts {
  /** Replaced when a server had to be started again. */
  readonly sessions: Partial<Record<CheckEra, Session>>;
  readonly eras: readonly CheckEra[];
  /** It wants a token and was shown none, or none that it takes: only what a stranger sees can be judged. */
  readonly locked?: boolean;
}

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

export const checkedServerOf = ({ sessions, eras }: ServerFacts): CheckedServer => {
  const info =
    at(sessions.legacy?.opening.result, 'serverInfo') ?? at(sessions.modern?.opening.result, '_meta', META.serverInfo);
  const name = text(at(info, 'name'));
  const version = text(at(info, 'version'));
  const revisions = eras.flatMap((era) => sessions[era]?.revision ?? []);
  return {
    ...(name === undefined ? {} : { name }),
    ...(version === undefined ? {} : { version }),
    eras: [...eras],
    revisions,
  };
};
