import type { Tracer } from '@opentelemetry/api';
import type { ObserveSettings } from '../settings/observe-settings.js';
import { VERSION } from '../process/version.js';
import type { Logger } from '../log/logger.js';

export interface Telemetry {
  /** Undefined when nobody wants traces. */
  readonly tracer: Tracer | undefined;
  /** Sends what is left, within a deadline. */
  close(): Promise<void>;
}

const EXPORT_MS = 5000;

/** Spans for a collector, when one is configured; the libraries are loaded only then. */
export const startTelemetry = async (
  { tracesUrl, tracesHeaders }: ObserveSettings,
  log: Logger,
): Promise<Telemetry> => {
  if (tracesUrl === undefined) return { tracer: undefined, close: async () => undefined };
  const [{ OTLPTraceExporter }, { BasicTracerProvider, BatchSpanProcessor }, { resourceFromAttributes }] =
    await Promise.all([
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/sdk-trace-base'),
      import('@opentelemetry/resources'),
    ]);
  const exporter = new OTLPTraceExporter({ url: tracesUrl, headers: { ...tracesHeaders }, timeoutMillis: EXPORT_MS });
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'plugboard', 'service.version': VERSION }),
    spanProcessors: [new BatchSpanProcessor(exporter, { exportTimeoutMillis: EXPORT_MS })],
  });
  return {
    tracer: provider.getTracer('plugboard', VERSION),
    close: async () => {
      try {
        await provider.shutdown();
      } catch {
        // the address may hold a key, so the library's own words are not repeated
        log.warn('The last spans could not be sent to the collector.');
      }
    },
  };
};
