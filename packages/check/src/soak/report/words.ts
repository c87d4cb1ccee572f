import type { SoakFinding, SoakReport, SoakVerdict } from '@plugboard/contract';

export const METRICS: Readonly<Record<SoakFinding['metric'], string>> = {
  rss: 'memory',
  handles: 'handles',
  latency: 'latency',
  sessions: 'ended sessions',
};

export const MARKS: Readonly<Record<SoakVerdict, string>> = {
  stable: '✓',
  grows: '✗',
  undecided: '?',
  'not-measured': '–',
};

export const soakSubject = ({ target, server, era }: SoakReport): string => {
  const name = server?.name === undefined ? target.label : `${server.name} ${server.version ?? ''}`.trim();
  const over = target.transport === undefined ? '' : ` over ${target.transport}`;
  return `${name}${over}${era === undefined ? '' : ` (${era} era)`}`;
};

export const findingWords = ({ metric, detail }: SoakFinding): string => `${METRICS[metric]}: ${detail}`;

/** What was done, in one sentence. */
export const courseWords = ({ samples, churned, durationMs, stoppedEarly, call }: SoakReport): string => {
  const last = samples.at(-1);
  const called =
    call === undefined ? '' : ` of ${call.tool === undefined ? call.method : `${call.method} ${call.tool}`}`;
  const sessions =
    churned.deleted + churned.abandoned === 0
      ? ''
      : `, ${churned.deleted} sessions ended with DELETE and ${churned.abandoned} without`;
  return `${last?.calls ?? 0} calls${called}, ${last?.failed ?? 0} failed${sessions}, in ${(durationMs / 1_000).toFixed(0)} s${stoppedEarly ? ' (stopped early: certain)' : ''}.`;
};
