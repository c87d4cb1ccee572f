import { ANONYMOUS_PRINCIPAL, type AuditRecord, toPlugboardError } from '@plugboard/contract';
import type { Context } from 'hono';
import type { AuditTrail } from '../../audit/audit-trail.js';
import { knownPrincipal } from './admission.js';
import { wasRepeated } from './answered-once.js';
import type { Endpoint } from './endpoint.js';
import { BODY_MEMBERS } from './member-paths.js';

export interface AuditPorts {
  readonly audit: Pick<AuditTrail, 'record' | 'recordStranger'>;
}

const decoded = (path: string): string => {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
};

/** Writes down every request that may change something, how it ended, and which members its body had. */
export const audited = (endpoint: Endpoint, { audit }: AuditPorts): Endpoint => {
  const { operation } = endpoint;
  if (operation.method === 'get') return endpoint;
  const record = (c: Context, startedAt: number, outcome: AuditRecord['outcome']): void => {
    const members = c.get(BODY_MEMBERS) as readonly string[] | undefined;
    const principal = knownPrincipal(c);
    const entry: AuditRecord = {
      at: new Date().toISOString(),
      kind: 'admin',
      actor: principal?.id ?? 'unknown',
      action: operation.id,
      target: decoded(c.req.path).slice(0, 512),
      outcome,
      duration_ms: performance.now() - startedAt,
      details: {
        ...(members === undefined || members.length === 0 ? {} : { body: members }),
        ...(wasRepeated(c) ? { repeated: true } : {}),
      },
    };
    if (principal === undefined || principal.id === ANONYMOUS_PRINCIPAL.id) audit.recordStranger(entry);
    else audit.record(entry);
  };
  return {
    operation,
    answer: async (c, limits) => {
      const startedAt = performance.now();
      try {
        const response = await endpoint.answer(c, limits);
        record(c, startedAt, 'ok');
        return response;
      } catch (thrown) {
        record(c, startedAt, toPlugboardError(thrown).code);
        throw thrown;
      }
    },
  };
};
