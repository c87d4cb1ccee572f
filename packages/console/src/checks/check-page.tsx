import type { CheckReport, CheckResult, CheckRun, CheckVerdict } from '@plugboard/contract';
import { useMemo, useState } from 'react';
import { useLocation, useParams } from 'wouter';
import { toApiError } from '../api/api-error.js';
import { useCancelCheck, useCheckReport, useCheckRun, useDeleteCheck } from '../api/checks.js';
import { Badge } from '../ui/badge.js';
import { Button } from '../ui/button.js';
import { Choice } from '../ui/choice.js';
import { CopyText } from '../ui/copy-text.js';
import { DeleteButton } from '../ui/delete-button.js';
import { Failure } from '../ui/failure.js';
import { LongText } from '../ui/long-text.js';
import { Notice } from '../ui/notice.js';
import { Page } from '../ui/page.js';
import { SearchBox } from '../ui/search-box.js';
import { Skeleton } from '../ui/skeleton.js';
import { useToast } from '../ui/toast.js';
import { visible } from '../ui/format-text.js';
import { runWords } from '../ui/run-words.js';
import { byVerdict, VERDICTS } from './run-words.js';

const Evidence = ({ evidence }: { readonly evidence: NonNullable<CheckResult['evidence']> }) => (
  <div className="stack tight">
    <h3>Expected</h3>
    <LongText text={evidence.expected} />
    <h3>Sent</h3>
    <LongText text={evidence.sent} />
    <h3>Received</h3>
    <LongText text={evidence.received} />
    {evidence.reproduce === undefined ? null : <CopyText label="See it again" text={evidence.reproduce} />}
    <details>
      <summary>Transcript</summary>
      <LongText
        text={evidence.transcript
          .map(({ at, direction, text }) => `${Math.round(at)} ms ${direction}: ${text}`)
          .join('\n')}
      />
    </details>
  </div>
);

const Result = ({ result }: { readonly result: CheckResult }) => {
  const { tone, word } = VERDICTS[result.verdict];
  return (
    <details className="finding">
      <summary>
        <Badge tone={tone}>{word}</Badge> <code>{result.id}</code>{' '}
        <span>{visible(result.problem ?? result.title)}</span>{' '}
        <span className="quiet">
          {result.level}, {result.era}
        </span>
      </summary>
      <div className="stack">
        {result.detail === undefined ? null : <p>{visible(result.detail)}</p>}
        {result.verdict === 'pass' ? null : <p className="quiet">{visible(result.remedy)}</p>}
        {result.supply === undefined ? null : <p className="quiet">{visible(result.supply)}</p>}
        <p className="quiet">“{result.source.sentence}”</p>
        {result.evidence === undefined ? null : <Evidence evidence={result.evidence} />}
      </div>
    </details>
  );
};

const FILTERS: readonly (readonly [CheckVerdict | 'all', string])[] = [
  ['all', 'All'],
  ['fail', 'Failed'],
  ['warn', 'Warnings'],
  ['not-verified', 'Not verified'],
  ['pass', 'Passed'],
];

const Results = ({ report }: { readonly report: CheckReport }) => {
  const [verdict, setVerdict] = useState<CheckVerdict | 'all'>('all');
  const [search, setSearch] = useState('');
  const [level, setLevel] = useState('');
  const [family, setFamily] = useState('');
  const families = useMemo(() => [...new Set(report.results.map((result) => result.family))].sort(), [report]);
  const shown = useMemo(() => {
    const needle = search.trim().toLowerCase();
    return report.results
      .filter((result) => verdict === 'all' || result.verdict === verdict)
      .filter((result) => level === '' || result.level === level)
      .filter((result) => family === '' || result.family === family)
      .filter(({ id, title }) => needle === '' || `${id} ${title}`.toLowerCase().includes(needle))
      .sort(byVerdict);
  }, [report, verdict, search, level, family]);
  return (
    <>
      <div className="filters">
        <SearchBox label="Filter checks" placeholder="Filter by id or title" value={search} onChange={setSearch} />
        <Choice label="Verdict" value={verdict} options={FILTERS} onChange={setVerdict} />
        <Choice
          label="Level"
          value={level}
          options={[['', 'All levels'], ...['MUST', 'SHOULD', 'ADVICE'].map((one) => [one, one] as const)]}
          onChange={setLevel}
        />
        <Choice
          label="Suite"
          value={family}
          options={[['', 'All suites'], ...families.map((one) => [one, one] as const)]}
          onChange={setFamily}
        />
        <span className="quiet">{shown.length} shown</span>
      </div>
      <div className="card rows">
        {shown.map((result) => (
          <Result key={`${result.id} ${result.era}`} result={result} />
        ))}
      </div>
    </>
  );
};

const Actions = ({ run: { id, state, target } }: { readonly run: CheckRun }) => {
  const cancel = useCancelCheck(id);
  const remove = useDeleteCheck(id);
  const [, navigate] = useLocation();
  const tell = useToast();
  const failed = (thrown: unknown): void => tell(toApiError(thrown).message, 'bad');
  if (state !== 'finished') {
    return (
      <Button busy={cancel.isPending} onClick={() => cancel.mutate(undefined, { onError: failed })}>
        Cancel
      </Button>
    );
  }
  const onConfirm = (): void =>
    remove.mutate(undefined, {
      onSuccess: () => navigate('/checks'),
      onError: failed,
    });
  return (
    <>
      <a
        className="button plain"
        href={`/v1/checks/${encodeURIComponent(id)}/report?format=html`}
        target="_blank"
        rel="noreferrer"
      >
        Open report
      </a>
      <DeleteButton kind="check" name={`the check of ${target.label}`} busy={remove.isPending} onConfirm={onConfirm}>
        Its report is deleted too. This cannot be undone.
      </DeleteButton>
    </>
  );
};

export const CheckPage = () => {
  const { id } = useParams<{ id: string }>();
  const run = useCheckRun(id);
  const finished = run.data?.state === 'finished';
  const report = useCheckReport(id, finished);
  if (run.data === undefined) {
    return <Page title="Check">{run.isError ? <Failure error={toApiError(run.error)} /> : <Skeleton />}</Page>;
  }
  const { tone, word } = runWords(run.data);
  return (
    <Page
      title={`Check of ${visible(run.data.target.label)}`}
      about={
        <>
          <Badge tone={tone}>{word}</Badge> {run.data.tier}
        </>
      }
      actions={<Actions run={run.data} />}
    >
      {finished ? null : (
        <p className="progress-line" role="status">
          <progress value={run.data.done} max={run.data.planned ?? 1} aria-label="Progress" />
          {run.data.done} of {run.data.planned ?? '?'} checks
        </p>
      )}
      {run.data.reason === undefined ? null : <Notice tone="warn">{visible(run.data.reason)}</Notice>}
      {report.isError ? <Failure error={toApiError(report.error)} /> : null}
      {report.data === undefined ? null : <Results report={report.data} />}
    </Page>
  );
};
