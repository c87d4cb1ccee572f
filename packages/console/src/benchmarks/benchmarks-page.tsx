import type { BenchReport } from '@plugboard/contract';
import { type ChangeEvent, useState } from 'react';
import { Badge } from '../ui/badge.js';
import { CopyText } from '../ui/copy-text.js';
import { Failure } from '../ui/failure.js';
import { Field } from '../ui/field.js';
import { Notice } from '../ui/notice.js';
import { Page } from '../ui/page.js';
import { milliseconds, visible } from '../ui/words.js';
import { MAX_FILE_BYTES, type ReadReport, readReport } from './read-report.js';
import { ScenarioView } from './scenario-view.js';

const Verdicts = ({ report: { thresholds, violations } }: { readonly report: BenchReport }) => (
  <>
    {violations.length === 0 ? null : (
      <Notice tone="bad" title="Wrong answers under load">
        <ul>
          {violations.map(({ kind, count, example }) => (
            <li key={kind}>{visible(`${kind}: ${count}, for example ${example.slice(0, 400)}`)}</li>
          ))}
        </ul>
      </Notice>
    )}
    {thresholds.length === 0 ? null : (
      <ul className="card rows" aria-label="Thresholds">
        {thresholds.map(({ metric, expression, verdict, value }) => (
          <li key={`${metric} ${expression}`} className="row threshold-row">
            <code>{visible(`${metric}: ${expression}`)}</code>
            <span className="quiet">{value === undefined ? '' : value.toLocaleString('en')}</span>
            <Badge tone={verdict === 'pass' ? 'good' : verdict === 'fail' ? 'bad' : 'quiet'}>{visible(verdict)}</Badge>
          </li>
        ))}
      </ul>
    )}
  </>
);

const Report = ({ report }: { readonly report: BenchReport }) => (
  <div className="stack">
    <p>
      <strong>{visible(report.target.label)}</strong>{' '}
      <Badge tone={report.outcome === 'passed' ? 'good' : 'bad'}>{visible(report.outcome)}</Badge>{' '}
      <span className="quiet">
        {visible(new Date(report.startedAt).toLocaleString())}, {milliseconds(report.durationMs)}
      </span>
    </p>
    {report.generator?.saturated === true ? (
      <Notice tone="warn" title="The generator was the bottleneck">
        <p>The program that made the calls had no time left: the figures may be its own, not those of the server.</p>
      </Notice>
    ) : null}
    <Verdicts report={report} />
    {report.scenarios.map((result) => (
      <ScenarioView key={result.scenario} result={result} />
    ))}
  </div>
);

const read = async (file: File): Promise<ReadReport> => {
  if (file.size > MAX_FILE_BYTES) return { problem: 'The file is larger than 20 MB: no report is.' };
  try {
    return readReport(await file.text());
  } catch {
    return { problem: 'The file cannot be read.' };
  }
};

/** Shows a report of `plugboard bench`. The file stays in the browser. */
export const BenchmarksPage = () => {
  const [opened, setOpened] = useState<ReadReport | undefined>();
  const open = ({ currentTarget: { files } }: ChangeEvent<HTMLInputElement>): void => {
    const file = files?.[0];
    if (file !== undefined) void read(file).then(setOpened);
  };
  return (
    <Page title="Benchmarks" about="Latency and throughput of a server under load, measured by plugboard bench.">
      <Field label="Report" help="A JSON report. It stays in this browser and is not sent to the hub.">
        {(ids) => <input {...ids} type="file" accept=".json,application/json" onChange={open} />}
      </Field>
      {opened === undefined ? (
        <div className="stack">
          <p className="quiet">
            The load comes from the command line, so that the hub and the generator do not compete for one process. Name
            a registered server, or the URL of an endpoint of this hub.
          </p>
          <CopyText label="Measure a server" text="plugboard bench my-server --duration 10 --report bench.json" />
        </div>
      ) : 'problem' in opened ? (
        <Failure error={{ message: opened.problem }} />
      ) : (
        <Report key={opened.report.startedAt} report={opened.report} />
      )}
    </Page>
  );
};
