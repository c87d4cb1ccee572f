import { type ChangeEvent, useState } from 'react';
import { CopyText } from '../ui/copy-text.js';
import { Failure } from '../ui/failure.js';
import { Field } from '../ui/field.js';
import { MAX_FILE_BYTES, type ReadReport, readReport } from './read-report.js';
import { ReportView } from './report-view.js';

const read = async (file: File): Promise<ReadReport> => {
  if (file.size > MAX_FILE_BYTES) return { problem: 'The file is larger than 20 MB: no report is.' };
  try {
    return readReport(await file.text());
  } catch {
    return { problem: 'The file cannot be read.' };
  }
};

/** Shows a report of `plugboard bench`. The file stays in the browser. */
export const OpenReport = () => {
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
