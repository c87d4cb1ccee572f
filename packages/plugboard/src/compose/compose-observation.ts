import { cpuUsage, memoryUsage } from 'node:process';
import type { Tracer } from '@opentelemetry/api';
import {
  auditCalls,
  CallQueue,
  CallHistory,
  CallStats,
  type CatalogueSource,
  HubMetrics,
  logCalls,
  logFlows,
  type MetricSources,
  type StepOptions,
  toolsetOffer,
  ToolsetEndpoints,
} from '@plugboard/gateway';
import type { HubEvent, Server } from '@plugboard/contract';
import type { DataPlane, Registry } from '@plugboard/registry';
import type { Settings } from '../settings/settings.js';
import type { Logger } from '../log/logger.js';

export interface ObservationParts {
  readonly settings: Settings;
  readonly registry: Registry & CatalogueSource;
  readonly tracer: Tracer | undefined;
  readonly log: Logger;
  readonly counts: Pick<MetricSources, 'sessions' | 'connections' | 'children' | 'load' | 'pressure'>;
  readonly onInternalError: (error: unknown) => void;
}

export interface Observation {
  readonly steps: StepOptions;
  readonly toolsets: ToolsetEndpoints;
  readonly dataPlane: DataPlane;
}

const MICROSECONDS = 1_000_000;

const processUsage: MetricSources['usage'] = () => {
  const { user, system } = cpuUsage();
  const { rss, heapUsed } = memoryUsage();
  return { residentBytes: rss, heapBytes: heapUsed, cpuSeconds: (user + system) / MICROSECONDS };
};

/** The event that tells of a lost session. */
export const sessionLost = ({ id, server_name }: Server, reason: string): HubEvent => ({
  event: 'session_lost',
  at: new Date().toISOString(),
  server_id: id,
  server_name,
  reason,
});

/** What is counted, written down, limited and curated around the data plane. */
export const composeObservation = (parts: ObservationParts): Observation => {
  const { settings, registry, tracer, log, counts, onInternalError } = parts;
  const { guard, observe } = settings;
  const stats = new CallStats({ slowAfterMs: observe.slowMs, since: new Date().toISOString() });
  const history = new CallHistory();
  const metrics = new HubMetrics({
    snapshot: () => registry.snapshot(),
    status: (id) => registry.status(id),
    ...counts,
    usage: processUsage,
    services: () => registry.services.states(),
  });
  const toolsets = new ToolsetEndpoints(registry);
  const audit = auditCalls({
    record: (entry) => registry.audit.recordWritten(entry),
    keepArguments: observe.auditArguments,
  });
  const queue = new CallQueue({
    sinks: [
      stats.add,
      history.add,
      metrics.add,
      ...(observe.auditCalls ? [audit] : []),
      logCalls({
        log: {
          written: (message, members) => log.written?.(message, members),
          warn: (message, fields) => log.warn(message, fields),
        },
        slowAfterMs: observe.slowMs,
        everyRequest: observe.accessLog,
      }),
    ],
    onInternalError,
  });
  registry.audit.onFlush(queue.flush);
  return {
    toolsets,
    dataPlane: {
      toolsetOffer: (toolset) => toolsetOffer(toolsets.view(toolset)),
      calls: () => {
        queue.flush();
        return stats.summary();
      },
      history: () => {
        queue.flush();
        return history.read();
      },
      metrics: () => {
        queue.flush();
        return metrics.read();
      },
    },
    steps: {
      tracer,
      sinks: [queue.add, logFlows({ debug: (message, fields) => log.debug?.(message, fields) })],
      onPath: metrics.addPath,
      keepsResults: observe.auditCalls && observe.auditResults,
      note: (id, error) => registry.noteOutcome(id, error),
      limits: guard.limits,
      maxArgumentBytes: guard.maxArgumentBytes,
      maxResultBytes: guard.maxResultBytes,
      loginSettled: async (...wait) => registry.logins?.settled(...wait),
    },
  };
};
