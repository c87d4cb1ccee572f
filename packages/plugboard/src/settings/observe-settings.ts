import { z } from 'zod';
import { type Complete, withDefaults } from './with-defaults.js';

/** The member `observe` of plugboard.json. */
export const observeFile = z
  .strictObject({
    accessLog: z.boolean().optional().describe('log every MCP request; default: true'),
    slowMs: z
      .number()
      .positive()
      .max(3_600_000)
      .optional()
      .describe('log a warning for requests that take longer than this'),
    auditCalls: z.boolean().optional().describe('record tool calls in the audit trail; default: true'),
    auditArguments: z.boolean().optional().describe('also record argument values; default: false'),
    auditResults: z
      .boolean()
      .optional()
      .describe('also record the results of tools, cut to 8 KiB; tool calls then take the full path; default: false'),
    auditDays: z
      .number()
      .int()
      .min(0)
      .max(36_500)
      .optional()
      .describe('days to keep the audit trail; 0 keeps it indefinitely'),
    serverLogLines: z
      .number()
      .int()
      .min(1)
      .max(100_000)
      .optional()
      .describe('log entries to keep for each server; default: 1000'),
    serverLogDays: z.number().int().min(1).max(3650).optional().describe('days to keep them; default: 7'),
  })
  .describe('logging and the audit trail');
export type ObserveFile = z.infer<typeof observeFile>;

export interface ObserveSettings extends Complete<ObserveFile> {
  /** Where spans are sent; nowhere when undefined. */
  readonly tracesUrl: string | undefined;
  /** Sent with every batch of spans; may hold a key. */
  readonly tracesHeaders: Readonly<Record<string, string>>;
}

export const DEFAULT_OBSERVE: ObserveSettings = {
  accessLog: true,
  slowMs: 1000,
  auditCalls: true,
  auditArguments: false,
  auditResults: false,
  auditDays: 30,
  serverLogLines: 1000,
  serverLogDays: 7,
  tracesUrl: undefined,
  tracesHeaders: {},
};

export interface ObserveEnvironment {
  /** OTEL_EXPORTER_OTLP_ENDPOINT: the base, to which the path of traces is added. */
  readonly tracesBase?: string | undefined;
  /** OTEL_EXPORTER_OTLP_HEADERS: `name=value,name=value`. */
  readonly tracesHeaders?: string | undefined;
}

const parseHeaders = (text: string | undefined): Readonly<Record<string, string>> =>
  Object.fromEntries(
    (text ?? '')
      .split(',')
      .map((part) => part.split('='))
      .flatMap(([name, ...value]) =>
        name === undefined || name.trim() === '' || value.length === 0 ? [] : [[name.trim(), value.join('=').trim()]],
      ),
  );

export const observeSettings = (
  file: ObserveFile | undefined,
  { tracesBase, tracesHeaders }: ObserveEnvironment,
): ObserveSettings => ({
  ...withDefaults(DEFAULT_OBSERVE, file),
  tracesUrl: tracesBase === undefined ? undefined : `${tracesBase.replace(/\/+$/u, '')}/v1/traces`,
  tracesHeaders: parseHeaders(tracesHeaders),
});
