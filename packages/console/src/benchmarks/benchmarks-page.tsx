import type { BenchRun } from '@plugboard/contract';
import { Link } from 'wouter';
import { toApiError } from '../api/api-error.js';
import { useBenchRuns } from '../api/benchmarks.js';
import { Badge } from '../ui/badge.js';
import { Empty } from '../ui/empty.js';
import { Failure } from '../ui/failure.js';
import { Page } from '../ui/page.js';
import { runWords } from '../ui/run-words.js';
import { Skeleton } from '../ui/skeleton.js';
import { ago, visible } from '../ui/words.js';
import { figureWords, loadWords } from './bench-words.js';
import { OpenReport } from './open-report.js';
import { StartBench } from './start-bench.js';

const Row = ({ run }: { readonly run: BenchRun }) => {
  const { tone, word } = runWords(run);
  return (
    <li>
      <Link href={`/benchmarks/${run.id}`} className="row bench-row">
        <span className="row-name">{visible(run.target.label)}</span>
        <Badge tone={tone}>{word}</Badge>
        <span className="row-note">
          {run.figures === undefined ? visible(run.reason ?? '') : figureWords(run.figures)}
        </span>
        <span className="quiet row-note">{visible(loadWords(run))}</span>
        <span className="quiet">{ago(run.created_at)}</span>
      </Link>
    </li>
  );
};

const History = () => {
  const runs = useBenchRuns();
  if (runs.isError) return <Failure error={toApiError(runs.error)} />;
  if (runs.data === undefined) return <Skeleton />;
  if (runs.data.length === 0) {
    return (
      <Empty title="No benchmarks yet">
        <p>Choose a server and start one. The hub keeps the rate low enough that other clients notice little of it.</p>
      </Empty>
    );
  }
  return (
    <ul className="card rows" aria-label="Benchmarks">
      {runs.data.map((run) => (
        <Row key={run.id} run={run} />
      ))}
    </ul>
  );
};

export const BenchmarksPage = () => {
  const runs = useBenchRuns();
  return (
    <Page title="Benchmarks" about="Latency and throughput of a server under a steady load.">
      <StartBench />
      <History />
      {/* Below a list whose length is not known yet, it would move. */}
      {runs.isPending ? null : <OpenReport />}
    </Page>
  );
};
