import type { BenchRun } from '@plugboard/contract';
import { useState } from 'react';
import { useLocation, useParams } from 'wouter';
import { toApiError } from '../api/api-error.js';
import { benchReportUrl, useBenchReport, useBenchRun, useCancelBench, useDeleteBench } from '../api/benchmarks.js';
import { Badge } from '../ui/badge.js';
import { Button } from '../ui/button.js';
import { Confirm } from '../ui/confirm.js';
import { FactList } from '../ui/fact-list.js';
import { Failure } from '../ui/failure.js';
import { Notice } from '../ui/notice.js';
import { Page } from '../ui/page.js';
import { runWords } from '../ui/run-words.js';
import { Skeleton } from '../ui/skeleton.js';
import { milliseconds, visible } from '../ui/format-text.js';
import { loadWords } from './bench-words.js';
import { ReportView } from './report-view.js';

const Live = ({ run: { state, phase, done, figures } }: { readonly run: BenchRun }) => (
  <div className="stack">
    <p className="progress-line" role="status">
      <progress value={done} max={1} aria-label="Progress" />
      {state === 'queued' ? 'Waiting for its turn' : visible(phase ?? 'Connecting')}
    </p>
    {figures === undefined ? null : (
      <FactList
        facts={[
          ['Calls', figures.calls.toLocaleString('en')],
          ['Failed', figures.failed.toLocaleString('en')],
          ['Per second', figures.calls_per_second.toLocaleString('en', { maximumFractionDigits: 1 })],
          ['p50', milliseconds(figures.p50)],
          ['p95', milliseconds(figures.p95)],
          ['p99', milliseconds(figures.p99)],
        ]}
      />
    )}
  </div>
);

const Actions = ({ run: { id, state } }: { readonly run: BenchRun }) => {
  const cancel = useCancelBench(id);
  const remove = useDeleteBench(id);
  const [, navigate] = useLocation();
  const [asking, setAsking] = useState(false);
  if (state !== 'finished') {
    return (
      <Button busy={cancel.isPending} onClick={() => cancel.mutate()}>
        Cancel
      </Button>
    );
  }
  return (
    <>
      <a className="button plain" href={benchReportUrl(id)} target="_blank" rel="noreferrer">
        Open report
      </a>
      <Button busy={remove.isPending} onClick={() => setAsking(true)}>
        Delete
      </Button>
      <Confirm
        title="Delete this benchmark?"
        action="Delete"
        open={asking}
        onOpenChange={setAsking}
        onConfirm={() => remove.mutate(undefined, { onSuccess: () => navigate('/benchmarks') })}
      >
        <p>Its report is deleted too.</p>
      </Confirm>
    </>
  );
};

/** One benchmark of the hub: how it goes, then its report. */
export const BenchPage = () => {
  const { id } = useParams<{ id: string }>();
  const run = useBenchRun(id);
  const finished = run.data?.state === 'finished';
  const report = useBenchReport(id, finished);
  if (run.data === undefined) {
    return <Page title="Benchmark">{run.isError ? <Failure error={toApiError(run.error)} /> : <Skeleton />}</Page>;
  }
  const { tone, word } = runWords(run.data);
  return (
    <Page
      title={`Benchmark of ${visible(run.data.target.label)}`}
      about={
        <>
          <Badge tone={tone}>{word}</Badge> {visible(loadWords(run.data))}
        </>
      }
      actions={<Actions run={run.data} />}
    >
      {finished ? null : <Live run={run.data} />}
      {run.data.reason === undefined ? null : <Notice tone="warn">{visible(run.data.reason)}</Notice>}
      {report.isError ? <Failure error={toApiError(report.error)} /> : null}
      {report.data === undefined ? null : <ReportView report={report.data} />}
    </Page>
  );
};
