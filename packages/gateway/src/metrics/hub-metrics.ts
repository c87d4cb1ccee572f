import type { ProcessLoad, ServerId, ServerStatus } from '@plugboard/contract';
import { Gauge, Registry, Counter } from 'prom-client';
import { type CallRecord, isLongLived } from '../pipeline/observe/call-record.js';
import { DurationTally } from './duration-tally.js';
import { addLoadMetrics, type LoadSources } from './load-metrics.js';
import type { RelayPath } from '../call/relay-path.js';
import { addProcessMetrics, type ProcessUsage } from './process-metrics.js';
import { addPressureMetrics, type PressureFigures } from './pressure-metrics.js';
import { RequestCounts } from './request-counts.js';
import { addServiceMetrics, type ServiceStates } from './health-service-metrics.js';

/** Counts requests that servers answer by the path they take. The counts are handed over when the metrics are read. */
const countPaths = (registry: Registry): ((path: RelayPath) => void) => {
  const counts = new Map<RelayPath, number>();
  const counter: Counter<'path' | 'reason'> = new Counter({
    name: 'plugboard_relay_path_total',
    help: 'Requests to servers by path: fast, or full and why.',
    labelNames: ['path', 'reason'],
    registers: [registry],
    collect: () => {
      counter.reset();
      for (const [path, count] of counts) {
        counter.inc(path === 'fast' ? { path, reason: '' } : { path: 'full', reason: path }, count);
      }
    },
  });
  return (path) => void counts.set(path, (counts.get(path) ?? 0) + 1);
};

/** How many processes of servers run, how many may, and who waits for one. */
const addChildMetrics = (registry: Registry, load: () => ProcessLoad): void => {
  const registers = [registry];
  const gauge = (name: string, help: string, read: (now: ProcessLoad) => number): void => {
    const made: Gauge = new Gauge({ name, help, registers, collect: () => made.set(read(load())) });
  };
  gauge('plugboard_children', 'Child processes of servers.', ({ running }) => running);
  gauge('plugboard_children_max', 'How many child processes there may be at once.', ({ max }) => max);
  gauge('plugboard_children_waiting', 'Starts of child processes that wait for a place.', ({ waiting }) => waiting);
  const evicted: Counter = new Counter({
    name: 'plugboard_children_evicted_total',
    help: 'Idle child processes that were stopped to make room for others.',
    registers,
    collect: () => {
      evicted.reset();
      evicted.inc(load().evicted);
    },
  });
};

/** What is looked up when somebody reads the metrics. */
export interface MetricSources extends LoadSources {
  readonly status: (id: ServerId) => ServerStatus;
  /** Sessions of clients. */
  readonly sessions: () => number;
  /** Open connections to servers. */
  readonly connections: () => number;
  /** Child processes. */
  readonly children: () => ProcessLoad;
  readonly usage: () => ProcessUsage;
  /** Health-only services. */
  readonly services: ServiceStates;
  readonly pressure?: (() => PressureFigures) | undefined;
}

const STATES = ['unknown', 'ready', 'failing'] as const;

/** Metrics for Prometheus. Labels are methods, names of servers and codes: never what a caller sent. */
export class HubMetrics {
  readonly #registry = new Registry();
  readonly #requests = new RequestCounts(this.#registry);
  readonly #durations = new DurationTally();

  constructor(sources: MetricSources) {
    const registers = [this.#registry];
    this.addPath = countPaths(this.#registry);
    this.#addGauges(sources, registers);
    addLoadMetrics(this.#registry, sources);
    addChildMetrics(this.#registry, sources.children);
    addProcessMetrics(this.#registry, sources.usage);
    addServiceMetrics(this.#registry, sources.services);
    if (sources.pressure !== undefined) addPressureMetrics(this.#registry, sources.pressure);
  }

  /** Counts which way a call of a tool took. */
  readonly addPath: (path: RelayPath) => void;

  readonly add = (record: CallRecord): void => {
    this.#requests.add(record);
    if (!isLongLived(record.method)) this.#durations.add(record.method, record.durationMs);
  };

  async read(): Promise<{ readonly contentType: string; readonly text: string }> {
    return {
      contentType: this.#registry.contentType,
      text: `${await this.#registry.metrics()}\n${this.#durations.text()}`,
    };
  }

  #addGauges({ snapshot, status, sessions, connections }: MetricSources, registers: Registry[]): void {
    const count = (name: string, help: string, read: () => number): void => {
      const gauge: Gauge = new Gauge({ name, help, registers, collect: () => gauge.set(read()) });
    };
    count('plugboard_sessions', 'Open sessions of clients.', sessions);
    count('plugboard_connections', 'Open connections to servers.', connections);
    const states = new Gauge({
      name: 'plugboard_server_state',
      help: 'Whether a server is in this state (1) or not (0).',
      labelNames: ['server', 'state'],
      registers,
      collect: () => {
        states.reset();
        for (const { server } of snapshot().entries) {
          const now = status(server.id).state;
          for (const state of STATES) states.set({ server: server.server_name, state }, Number(now === state));
        }
      },
    });
    const tools = new Gauge({
      name: 'plugboard_tools',
      help: 'Tools of a server, by whether agents get them.',
      labelNames: ['server', 'state'],
      registers,
      collect: () => {
        tools.reset();
        for (const { server, tools: known } of snapshot().entries) {
          const quarantined = known.filter((tool) => tool.quarantine !== undefined).length;
          const offered = known.filter((tool) => tool.enabled).length;
          const labels = { server: server.server_name };
          tools.set({ ...labels, state: 'offered' }, offered);
          tools.set({ ...labels, state: 'quarantined' }, quarantined);
          tools.set({ ...labels, state: 'withheld' }, known.length - offered - quarantined);
        }
      },
    });
  }
}
