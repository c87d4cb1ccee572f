import type { BenchRun } from '@plugboard/contract';
import { useLocation, useParams } from 'wouter';
import { toApiError } from '../api/api-error.js';
import { benchReportUrl, useBenchReport, useBenchRun, useCancelBench, useDeleteBench } from '../api/benchmarks.js';
import { Badge } from '../ui/badge.js';
import { Button } from '../ui/button.js';
import { DeleteButton } from '../ui/delete-button.js';
import { FactList } from '../ui/fact-list.js';
import { Failure } from '../ui/failure.js';
import { Notice } from '../ui/notice.js';
import { Page } from '../ui/page.js';
import { runWords } from '../ui/run-words.js';
import { Skeleton } from '../ui/skeleton.js';
import { useToast } from '../ui/toast.js';
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

const Actions = ({ run: { id, state, target } }: { readonly run: BenchRun }) => {
  const cancel = useCancelBench(id);
  const remove = useDeleteBench(id);
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
  const onConfirm = (): void => remove.mutate(undefined, { onSuccess: () => navigate('/benchmarks'), onError: failed });
  return (
    <>
      <a className="button plain" href={benchReportUrl(id)} target="_blank" rel="noreferrer">
        Open report
      </a>
      <DeleteButton
        kind="benchmark"
        name={`the benchmark of ${target.label}`}
        busy={remove.isPending}
        onConfirm={onConfirm}
      >
        Its report is deleted too. This cannot be undone.
      </DeleteButton>
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
