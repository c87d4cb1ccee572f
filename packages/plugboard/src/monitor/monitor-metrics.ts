import type { MonitorView } from '@plugboard/contract';

const label = (value: string): string =>
  value.replaceAll(/[\\"\n]/gu, (found) => (found === '\n' ? '\\n' : `\\${found}`));

const metric = (name: string, help: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [`# HELP ${name} ${help}`, `# TYPE ${name} gauge`, ...lines];

/** What probes found, in the text form of Prometheus; empty while nothing is probed. */
export const monitorMetrics = ({ servers }: Pick<MonitorView, 'servers'>): string => {
  const probed = servers.filter(({ probes }) => probes > 0);
  const each = (name: string, value: (server: (typeof probed)[number]) => number | null | undefined): string[] =>
    probed.flatMap((server) => {
      const found = value(server);
      return found === null || found === undefined ? [] : [`${name}{server="${label(server.server_name)}"} ${found}`];
    });
  const durations = probed.flatMap(({ server_name, series }) =>
    series.flatMap(({ method, tool, p50_ms, p95_ms, p99_ms }) =>
      (
        [
          ['0.5', p50_ms],
          ['0.95', p95_ms],
          ['0.99', p99_ms],
        ] as const
      ).map(
        ([quantile, ms]) =>
          `plugboard_monitor_duration_seconds{server="${label(server_name)}",method="${label(method)}",tool="${label(tool ?? '')}",quantile="${quantile}"} ${ms / 1_000}`,
      ),
    ),
  );
  return [
    ...metric(
      'plugboard_monitor_up',
      'Whether the last probe succeeded.',
      each('plugboard_monitor_up', ({ state }) => (state === 'up' ? 1 : 0)),
    ),
    ...metric(
      'plugboard_monitor_availability',
      'Share of probes that succeeded in the last day.',
      each('plugboard_monitor_availability', ({ availability }) => availability),
    ),
    ...metric(
      'plugboard_monitor_burn_hour',
      'How many times faster than allowed the error budget was used up in the last hour.',
      each('plugboard_monitor_burn_hour', ({ burn }) => burn.hour),
    ),
    ...metric(
      'plugboard_monitor_drift',
      'Whether the server offers something else than was accepted.',
      each('plugboard_monitor_drift', ({ drift }) => (drift === null ? 0 : 1)),
    ),
    ...metric(
      'plugboard_monitor_certificate_days',
      'Days until the TLS certificate expires.',
      each('plugboard_monitor_certificate_days', ({ certificate }) => certificate?.days_left),
    ),
    ...metric('plugboard_monitor_duration_seconds', 'How long steps of probes took in the last day.', durations),
  ]
    .map((line) => `${line}\n`)
    .join('');
};
