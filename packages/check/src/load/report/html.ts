import { createHash } from 'node:crypto';
import type { BenchReport, LoadPhase, ScenarioResult } from '@plugboard/contract';
import { html } from '../../reporter/html/escape.js';
import { STYLE } from '../../reporter/html/style.js';
import { seconds } from '../../reporter/words/words.js';
import { lineChart } from './chart.js';
import {
  callWords,
  generatorWords,
  latencyFigures,
  mainPhase,
  megabytes,
  milliseconds,
  omissionWords,
  OUTCOMES,
  PHASE_COLUMNS,
  processWords,
  subject,
  thresholdMark,
  thresholdWords,
  VIOLATIONS,
} from './words.js';

const OWN_STYLE = `${STYLE}
.charts svg{flex:1 1 30rem;max-width:40rem}
svg .title{font:600 14px system-ui,sans-serif;fill:var(--ink)}
svg .grid{stroke:var(--line)}
.line{fill:none;stroke-width:2}
.line.a{stroke:var(--pass)}.line.b{stroke:var(--nv)}.line.c{stroke:var(--warn)}.line.d{stroke:var(--fail)}
.key.a,.dot.a{fill:var(--pass)}.key.b,.dot.b{fill:var(--nv)}.key.c,.dot.c{fill:var(--warn)}.key.d,.dot.d{fill:var(--fail)}
.scroll{overflow-x:auto}
table{border-collapse:collapse;margin:.5rem 0}
td,th{padding:.2rem .6rem;border-bottom:1px solid var(--line);text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}
td:first-child,th:first-child{text-align:left}
li.pass{color:var(--pass)}li.fail{color:var(--fail)}
`;

const policy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(OWN_STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'`;

const table = (titles: readonly string[], rows: readonly (readonly string[])[]): string =>
  `<div class="scroll"><table><tr>${titles.map((title) => `<th>${html(title)}</th>`).join('')}</tr>${rows
    .map((cells) => `<tr>${cells.map((cell) => `<td>${html(cell)}</td>`).join('')}</tr>`)
    .join('')}</table></div>`;

const time = (ms: number): string => `${(ms / 1_000).toFixed(0)} s`;

const overTime = ({ slices, name }: LoadPhase): readonly string[] => [
  lineChart(
    [
      { name: 'p50', colour: 'a', points: slices.map(({ at, p50 }) => [at, p50] as const) },
      { name: 'p95', colour: 'b', points: slices.map(({ at, p95 }) => [at, p95] as const) },
      { name: 'p99', colour: 'c', points: slices.map(({ at, p99 }) => [at, p99] as const) },
    ],
    { title: `Latency over time (${name})`, x: time, y: milliseconds },
  ),
];

const throughput = ({ slices, name }: LoadPhase): readonly string[] => {
  const [first, second] = slices;
  if (first === undefined || second === undefined) return [];
  const perSecond = 1_000 / (second.at - first.at);
  // The last slice is cut short by the end of the phase.
  const whole = slices.slice(0, -1);
  return [
    lineChart(
      [
        { name: 'calls/s', colour: 'a', points: whole.map(({ at, calls }) => [at, calls * perSecond] as const) },
        { name: 'failed/s', colour: 'd', points: whole.map(({ at, failed }) => [at, failed * perSecond] as const) },
      ],
      { title: `Throughput (${name})`, x: time, y: (value) => value.toFixed(0) },
    ),
  ];
};

const percentiles = ({ latency, uncorrected, name }: LoadPhase): readonly string[] => {
  const points = (summary: LoadPhase['latency']) =>
    (
      [
        [1, summary.min],
        [2, summary.p50],
        [10, summary.p90],
        [20, summary.p95],
        [100, summary.p99],
        [1_000, summary.p999],
      ] as const
    ).slice();
  return [
    lineChart(
      [
        { name: 'corrected', colour: 'b', points: points(latency) },
        { name: 'uncorrected', colour: 'a', points: points(uncorrected) },
      ],
      {
        title: `Percentiles (${name})`,
        x: (value) => (value === 1 ? 'fastest' : `p${(100 - 100 / value).toFixed(1)}`),
        y: milliseconds,
        logarithmicX: true,
      },
    ),
  ];
};

const memory = ({ process }: BenchReport): readonly string[] =>
  process === undefined
    ? []
    : [
        lineChart(
          [{ name: 'memory', colour: 'a', points: process.samples.map(({ at, rssBytes }) => [at, rssBytes] as const) }],
          {
            title: 'Memory of the server',
            x: time,
            y: megabytes,
          },
        ),
        lineChart([{ name: 'CPU', colour: 'c', points: process.samples.map(({ at, cpu }) => [at, cpu] as const) }], {
          title: 'CPU of the server',
          x: time,
          y: (value) => `${value.toFixed(0)} %`,
        }),
      ];

const CURVES = { ramp: 'callers', payload: 'bytes', list: 'tools' } as const;

const curveChart = ({ scenario, curve = [] }: ScenarioResult): readonly string[] => {
  if (curve.length < 2 || !(scenario === 'ramp' || scenario === 'payload' || scenario === 'list')) return [];
  const unit = CURVES[scenario];
  return [
    lineChart(
      [
        { name: 'p50', colour: 'a', points: curve.map(({ x, latency }) => [x, latency.p50] as const) },
        { name: 'p99', colour: 'c', points: curve.map(({ x, latency }) => [x, latency.p99] as const) },
      ],
      {
        title: `Latency by ${unit}`,
        x: (value) => `${value} ${unit}`,
        y: milliseconds,
        logarithmicX: scenario !== 'list',
      },
    ),
  ];
};

const verdicts = ({ thresholds, violations }: BenchReport): readonly string[] => {
  const items = [
    ...violations.map(
      ({ kind, count, example }) =>
        `<li class="fail">✗ ${count} ${html(VIOLATIONS[kind])}. First: ${html(example)}</li>`,
    ),
    ...thresholds.map(
      (threshold) =>
        `<li class="${threshold.verdict}">${thresholdMark(threshold)} ${html(thresholdWords(threshold))}</li>`,
    ),
  ];
  return items.length === 0 ? [] : [`<ul>${items.join('')}</ul>`];
};

const section = (result: ScenarioResult): string =>
  [
    `<section><h2>${html(result.scenario)}</h2><p>${html(result.summary)}</p>`,
    ...(result.phases.length === 0
      ? []
      : [
          table(
            PHASE_COLUMNS.map(([title]) => title),
            result.phases.map((phase) => PHASE_COLUMNS.map(([, text]) => text(phase))),
          ),
        ]),
    ...curveChart(result).map((chart) => `<div class="charts">${chart}</div>`),
    ...result.phases.flatMap(({ name, errors }) =>
      Object.entries(errors).map(([error, count]) => `<p>${html(name)}: ${count} × ${html(error)}</p>`),
    ),
    '</section>',
  ].join('\n');

/** One file that needs nothing else, and runs no script. */
export const benchHtml = (report: BenchReport): string => {
  const title = `${subject(report)}: ${OUTCOMES[report.outcome]}`;
  const main = mainPhase(report);
  const notes = [report.reason, report.call?.note].filter((note) => note !== undefined);
  const charts = [
    ...(main === undefined ? [] : [...overTime(main), ...percentiles(main), ...throughput(main)]),
    ...memory(report),
  ];
  return [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${html(policy)}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${html(title)}</title>`,
    `<style>${OWN_STYLE}</style></head><body>`,
    `<h1>${html(title)}</h1>`,
    `<p class="meta">${html(report.target.label)} · ${html(callWords(report))} · ${html(report.startedAt)} · ${seconds(report.durationMs)} · plugboard ${html(report.version)}</p>`,
    ...notes.map((note) => `<p><strong>${html(note)}</strong></p>`),
    ...verdicts(report),
    `<div class="charts">${charts.join('')}</div>`,
    ...(main === undefined
      ? []
      : [
          `<h2>Latency of the phase ${html(main.name)}</h2>`,
          table(['', 'measured', 'corrected'], latencyFigures(main)),
          ...omissionWords(main).map((line) => `<p>${html(line)}</p>`),
        ]),
    ...report.scenarios.map(section),
    ...[...processWords(report), ...generatorWords(report)].map((line) => `<p>${html(line)}</p>`),
    '</body></html>',
    '',
  ].join('\n');
};
