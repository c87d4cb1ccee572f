import { hearHint, PlugboardError, type ErrorDescription, type SyncReport } from '@plugboard/contract';

/** A sync as a refresh answers it: a list that could not be read is a failure of the request. */
export const refreshed = (report: SyncReport): SyncReport => {
  if (report.status !== 'failed') return report;
  const {
    code,
    message,
    hint: api,
    cli_hint: cli,
    details,
    retry_after_ms: retryAfterMs,
  }: ErrorDescription = report.error ?? {
    code: 'UPSTREAM_UNAVAILABLE',
    message: 'The tools of the server could not be read.',
  };
  throw new PlugboardError(code, message, {
    hint:
      hearHint({ hint: api, cli_hint: cli }) ??
      'Check that the server is running and reachable, then try again. Nothing was changed.',
    details,
    retryAfterMs,
  });
};
