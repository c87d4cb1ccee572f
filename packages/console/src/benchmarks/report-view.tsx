import type { BenchReport } from '@plugboard/contract';
import { Badge } from '../ui/badge.js';
import { Notice } from '../ui/notice.js';
import { milliseconds, visible } from '../ui/format-text.js';
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

/** A report of `plugboard bench` or of the hub: what was called, the verdicts, and the charts of each scenario. */
export const ReportView = ({ report }: { readonly report: BenchReport }) => (
  <div className="stack">
    <p>
      <strong>{visible(report.target.label)}</strong>{' '}
      <Badge tone={report.outcome === 'passed' ? 'good' : 'bad'}>{visible(report.outcome)}</Badge>{' '}
      <span className="quiet">
        {visible(new Date(report.startedAt).toLocaleString())}, {milliseconds(report.durationMs)}
      </span>
    </p>
    {report.call?.note === undefined ? null : <p className="quiet">{visible(report.call.note)}</p>}
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
