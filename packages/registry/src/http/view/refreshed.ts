import { PlugboardError, type SyncReport } from '@plugboard/contract';

/** A sync as a refresh answers it: a list that could not be read is a failure of the request. */
export const refreshed = (report: SyncReport): SyncReport => {
  if (report.status !== 'failed') return report;
  const {
    code,
    message,
    hint,
    details,
    retry_after_ms: retryAfterMs,
  } = report.error ?? {
    code: 'UPSTREAM_UNAVAILABLE' as const,
    message: 'The tools of the server could not be read.',
  };
  throw new PlugboardError(code, message, {
    hint: hint ?? 'See that the server runs and is reachable, then try again. Nothing was changed.',
    details,
    retryAfterMs,
  });
};
