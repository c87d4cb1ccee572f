import type { BenchReport, LoadPhase, ScenarioResult } from '@plugboard/contract';
import { html } from '../../reporter/html/escape.js';
import { seconds } from '../../reporter/words/verdict-text.js';
import { lineChart, mebibytes, mebibyteTick, millisecondTick } from './chart.js';
import { chartPage } from './page.js';
import {
  callCountWords,
  callWords,
  COMPARED,
  comparisonRows,
  comparisonTitle,
  generatorWords,
  latencyFigures,
  mainPhase,
  omissionWords,
  outcomeWord,
  PHASE_COLUMNS,
  processWords,
  subject,
  thresholdMark,
  thresholdWords,
  VIOLATIONS,
} from './report-text.js';

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
    { title: `Latency over time (${name})`, x: time, y: millisecondTick },
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
        y: millisecondTick,
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
          [
            {
              name: 'memory',
              colour: 'a',
              points: process.samples.map(({ at, rssBytes }) => [at, mebibytes(rssBytes)] as const),
            },
          ],
          { title: 'Memory of the server', x: time, y: mebibyteTick },
        ),
        lineChart([{ name: 'CPU', colour: 'c', points: process.samples.map(({ at, cpu }) => [at, cpu] as const) }], {
          title: 'CPU of the server',
          x: time,
          y: (value) => `${value.toFixed(0)} %`,
        }),
      ];

const CURVES = { ramp: 'callers', payload: 'bytes', list: 'tools' } as const;

/** Where more callers stop to bring more calls. */
const capacityChart = ({ scenario, phases }: ScenarioResult): readonly string[] =>
  scenario !== 'ramp' || phases.length < 2
    ? []
    : [
        lineChart(
          [
            {
              name: 'calls/s',
              colour: 'a',
              points: phases.map(({ concurrency, callsPerSecond }) => [concurrency, callsPerSecond] as const),
            },
          ],
          {
            title: 'Throughput by callers',
            x: (value) => `${value} ${value === 1 ? 'caller' : 'callers'}`,
            y: (value) => value.toFixed(0),
            logarithmicX: true,
          },
        ),
      ];

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
        x: (value) => `${value} ${value === 1 ? unit.slice(0, -1) : unit}`,
        y: millisecondTick,
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
        `<li class="${threshold.verdict}">${thresholdMark(threshold)} ${html(thresholdWords(threshold))}${threshold.verdict === 'not-measured' ? ': not measured' : ''}</li>`,
    ),
  ];
  return items.length === 0 ? [] : [`<ul class="verdicts">${items.join('')}</ul>`];
};

/** The errors of each phase that had some, a line each. */
const errorList = (phases: readonly LoadPhase[]): readonly string[] => {
  const items = phases.flatMap(({ name, errors }) => {
    const counted = Object.entries(errors).map(([error, count]) => `${count} × ${error}`);
    return counted.length === 0 ? [] : [`<li>${html(`${name}: ${counted.join(', ')}`)}</li>`];
  });
  return items.length === 0 ? [] : [`<p>Errors:</p><ul class="errors">${items.join('')}</ul>`];
};

const chartRow = (charts: readonly string[]): readonly string[] =>
  charts.length === 0 ? [] : [`<div class="charts">${charts.join('')}</div>`];

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
    ...chartRow([...curveChart(result), ...capacityChart(result)]),
    ...errorList(result.phases),
    '</section>',
  ].join('\n');

/** The whole report with its charts. */
export const benchHtml = (report: BenchReport): string => {
  const title = `${subject(report)}: ${outcomeWord(report)}`;
  const main = mainPhase(report);
  const notes = [report.reason, report.call?.note].filter((note) => note !== undefined);
  const charts = [
    ...(main === undefined ? [] : [...overTime(main), ...percentiles(main), ...throughput(main)]),
    ...memory(report),
  ];
  return chartPage(title, [
    `<p class="meta">${html(report.target.label)} · ${html(callWords(report))} · ${html(report.startedAt)} · ${seconds(report.durationMs)} · plugboard ${html(report.version)}</p>`,
    ...notes.map((note) => `<p><strong>${html(note)}</strong></p>`),
    ...verdicts(report),
    ...(report.comparison === undefined
      ? []
      : [`<h2>${html(comparisonTitle(report))}</h2>`, table(COMPARED, comparisonRows(report))]),
    `<div class="charts">${charts.join('')}</div>`,
    ...(main === undefined
      ? []
      : [
          `<h2>Latency of the phase ${html(main.name)}</h2>`,
          `<p>${html(callCountWords(main))}</p>`,
          table(['', 'measured', 'corrected'], latencyFigures(main)),
          ...omissionWords(main).map((line) => `<p>${html(line)}</p>`),
        ]),
    ...report.scenarios.map(section),
    ...[...processWords(report), ...generatorWords(report)].map((line) => `<p>${html(line)}</p>`),
  ]);
};
