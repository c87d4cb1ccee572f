import type { LoadPhase, ScenarioResult } from '@plugboard/contract';
import { useMemo } from 'react';
import { Chart, ChartFrame } from '../ui/chart-frame.js';
import { Table } from '../ui/table.js';
import { countsByName, milliseconds, visible } from '../ui/format-text.js';
import { curveLines, curveUnit, latencyLines, secondsOf, throughputLines } from './bench-lines.js';

const rate = (value: number): string => `${value.toLocaleString('en', { maximumFractionDigits: 1 })}/s`;
const seconds = (value: number): string => `${value.toLocaleString('en', { maximumFractionDigits: 2 })} s`;
const plain = (value: number): string => value.toLocaleString('en');

/** Fewer make no line. */
const FEWEST_SLICES = 3;

const PhaseCharts = ({ phase }: { readonly phase: LoadPhase }) => {
  const times = useMemo(() => secondsOf(phase.slices), [phase]);
  const latency = useMemo(() => latencyLines(phase.slices), [phase]);
  const throughput = useMemo(() => throughputLines(phase.slices, phase.seconds), [phase]);
  if (phase.slices.length < FEWEST_SLICES) return null;
  return (
    <>
      <h3>Latency: {visible(phase.name)}</h3>
      {phase.loop === 'open' ? <p className="quiet">From when each call was due, not from when it was sent.</p> : null}
      <Chart
        label={`Percentiles of the latency during ${visible(phase.name)}. The table above has the figures.`}
        times={times}
        series={latency}
        format={milliseconds}
        formatX={seconds}
      />
      <h3>Throughput: {visible(phase.name)}</h3>
      <Chart
        label={`Calls per second during ${visible(phase.name)}. The table above has the figures.`}
        times={times}
        series={throughput}
        format={rate}
        formatX={seconds}
      />
    </>
  );
};

const Curve = ({ result: { scenario, curve = [] } }: { readonly result: ScenarioResult }) => {
  const points = useMemo(() => curve.map(({ x }) => x), [curve]);
  const lines = useMemo(() => curveLines(curve), [curve]);
  if (curve.length < 2) return null;
  return (
    <>
      <h3>Latency by {curveUnit(scenario)}</h3>
      <Chart
        label={`Latency by the number of ${curveUnit(scenario)}.`}
        times={points}
        series={lines}
        format={milliseconds}
        formatX={plain}
      />
    </>
  );
};

const PERCENTILES = ['p50', 'p95', 'p99', 'max'] as const;

const HEADS = [
  'Phase',
  'Callers',
  'Calls',
  'Failed',
  'Per second',
  { title: 'As measured', heads: PERCENTILES },
  { title: 'Corrected for coordinated omission', heads: PERCENTILES },
  'Errors',
];

const Phases = ({ result }: { readonly result: ScenarioResult }) => (
  <Table label={`Phases of ${result.scenario}`} heads={HEADS}>
    {result.phases.map((phase) => (
      <tr key={phase.name}>
        <th scope="row">{visible(phase.name)}</th>
        <td>{phase.concurrency}</td>
        <td>{plain(phase.calls)}</td>
        <td>{plain(phase.failed)}</td>
        <td>{rate(phase.callsPerSecond)}</td>
        {[phase.uncorrected, phase.latency].flatMap((latency, index) =>
          PERCENTILES.map((percentile) => <td key={`${index} ${percentile}`}>{milliseconds(latency[percentile])}</td>),
        )}
        <td>{visible(countsByName(phase.errors))}</td>
      </tr>
    ))}
  </Table>
);

/** One scenario: its figures, and how they went over time. */
export const ScenarioView = ({ result }: { readonly result: ScenarioResult }) => (
  <section className="stack">
    <h2>{visible(result.scenario)}</h2>
    <p className="quiet">{visible(result.skipped ?? result.summary)}</p>
    {result.phases.length === 0 ? null : <Phases result={result} />}
    <ChartFrame>
      {result.phases.map((phase) => (
        <PhaseCharts key={phase.name} phase={phase} />
      ))}
      <Curve result={result} />
    </ChartFrame>
  </section>
);
