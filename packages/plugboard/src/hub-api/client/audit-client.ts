import { auditEntry, type AuditEntry, type AuditQuery } from '@plugboard/contract';
import { z } from 'zod';
import type { HubApi } from '../hub-api.js';
import { readAnswer } from '../read-answer.js';

const PAGE = 500;

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
    const page = readAnswer(
      z.array(auditEntry),
      await api.request('GET', `/v1/audit?${query.toString()}`),
      'what was done',
    );
    if (page.length > 0) yield page;
    if (page.length < wanted) return;
    left -= page.length;
    after = page.at(-1)?.id;
  }
}
