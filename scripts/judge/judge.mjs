// Examines one server and confirms what it failed.
import { confirm } from './confirm.mjs';
import { examine } from './examine.mjs';

const failureOf = ({ id, era, level, title, problem, detail, source }) => ({
  id,
  era,
  level,
  problem: problem ?? title,
  // The folder and the port of a run are no property of the server.
  detail: (detail ?? '')
    .replaceAll(/\/tmp\/plugboard-judge-\w+/gu, '{folder}')
    .replaceAll(/127\.0\.0\.1:\d+/gu, '127.0.0.1'),
  sentence: source.sentence,
  url: source.url,
});

const idsOf = (results, verdict) =>
  results.filter((one) => one.verdict === verdict).map(({ id, era }) => `${id}@${era}`);

const tidy = (evidence) =>
  Object.fromEntries(
    Object.entries(evidence).map(([key, value]) => [
      key,
      typeof value === 'string' ? value.replaceAll(/\/tmp\/plugboard-judge-\w+/gu, '{folder}') : value,
    ]),
  );

/** What is kept of a run: the verdicts, what they cost, and each failure with its confirmation. */
export const judge = async (server) => {
  const { report, starts, cpuMs, version } = await examine(server);
  const failures = [];
  for (const failed of report.results.filter(({ verdict }) => verdict === 'fail')) {
    const confirmed = await confirm(server, failed).catch((error) => ({ confirmed: false, how: String(error) }));
    failures.push({ ...failureOf(failed), ...tidy(confirmed) });
  }
  return {
    name: server.name,
    package: server.package,
    version,
    transport: server.transport,
    made: server.made,
    outcome: report.outcome,
    ...(report.reason === undefined ? {} : { reason: report.reason }),
    revisions: report.server?.revisions ?? [],
    durationMs: report.durationMs,
    cpuMs,
    starts,
    summary: report.summary,
    failures,
    warned: idsOf(report.results, 'warn'),
  };
};

/** Why a result is not good enough to be published. */
export const objections = ({ name, outcome, reason, failures }) => [
  ...(outcome === 'not-examined' || outcome === 'unreachable' ? [`${name}: ${reason}`] : []),
  ...failures
    .filter(({ confirmed }) => !confirmed)
    .map(({ id, era, detail, how }) => `${name}: ${id}@${era} is not confirmed. ${detail} (${how})`),
];
