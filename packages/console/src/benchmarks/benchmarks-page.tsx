import type { BenchRun } from '@plugboard/contract';
import { Link } from 'wouter';
import { type ChangeEvent, useState } from 'react';
import { toApiError } from '../api/api-error.js';
import { useBenchRuns } from '../api/benchmarks.js';
import { Badge } from '../ui/badge.js';
import { Empty } from '../ui/empty.js';
import { Failure } from '../ui/failure.js';
import { Page } from '../ui/page.js';
import { runWords } from '../ui/run-words.js';
import { Skeleton } from '../ui/skeleton.js';
import { ago, visible } from '../ui/format-text.js';
import { figureWords, loadWords } from './bench-words.js';
import { StartBench } from './start-bench.js';
import { CopyText } from '../ui/copy-text.js';
import { Field } from '../ui/field.js';
import { MAX_FILE_BYTES, type ReadReport, readReport } from './read-report.js';
import { ReportView } from './report-view.js';

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

const read = async (file: File): Promise<ReadReport> => {
  if (file.size > MAX_FILE_BYTES) return { problem: 'The file is larger than 20 MB: no report is.' };
  try {
    return readReport(await file.text());
  } catch {
    return { problem: 'The file cannot be read.' };
  }
};

/** Shows a report of `plugboard bench`. The file stays in the browser. */
const OpenReport = () => {
  const [opened, setOpened] = useState<ReadReport | undefined>();
  const open = ({ currentTarget: { files } }: ChangeEvent<HTMLInputElement>): void => {
    const file = files?.[0];
    if (file !== undefined) void read(file).then(setOpened);
  };
  return (
    <section className="stack">
      <h2>Open a report</h2>
      <p className="quiet">
        For more load than the hub allows, for ramps, spikes and streams, use the command line. It generates the load in
        a process of its own.
      </p>
      <CopyText label="Measure a server" text="plugboard bench my-server --duration 10 --report bench.json" />
      <Field label="Report" help="A JSON report. It stays in this browser and is not sent to the hub.">
        {(ids) => <input {...ids} type="file" accept=".json,application/json" onChange={open} />}
      </Field>
      {opened === undefined ? null : 'problem' in opened ? (
        <Failure error={{ message: opened.problem }} />
      ) : (
        <ReportView key={opened.report.startedAt} report={opened.report} />
      )}
    </section>
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
