import { auditEntry, type AuditEntry, type AuditQuery, PlugboardError } from '@plugboard/contract';
import { z } from 'zod';
import type { HubApi } from '../hub-api.js';

const PAGE = 500;

const parse = (json: unknown): readonly AuditEntry[] => {
  const parsed = z.array(auditEntry).safeParse(json);
  if (parsed.success) return parsed.data;
  throw new PlugboardError('INTERNAL', "The hub's answer about what was done has an unknown shape.", {
    hint: 'Check that the hub and this program are of the same version.',
    cause: parsed.error,
  });
};

export type AuditAsk = Pick<AuditQuery, 'kind' | 'since'> & {
  /** How many at most; all when left out. */
  readonly limit?: number | undefined;
};

/** Pages of what was done, the newest first. */
export async function* auditPages(api: HubApi, ask: AuditAsk): AsyncGenerator<readonly AuditEntry[]> {
  let after: string | undefined;
  for (let left = ask.limit ?? Infinity; left > 0;) {
    const wanted = Math.min(left, PAGE);
    const query = new URLSearchParams({
      limit: String(wanted),
      ...(ask.kind === undefined ? {} : { kind: ask.kind }),
      ...(ask.since === undefined ? {} : { since: ask.since }),
      ...(after === undefined ? {} : { after }),
    });
    const page = parse((await api.request('GET', `/v1/audit?${query.toString()}`)).json);
    if (page.length > 0) yield page;
    if (page.length < wanted) return;
    left -= page.length;
    after = page.at(-1)?.id;
  }
}
