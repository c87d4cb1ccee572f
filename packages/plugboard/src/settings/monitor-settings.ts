import { resolve } from 'node:path';
import { PlugboardError } from '@plugboard/contract';
import { z } from 'zod';
import { withDefaults } from './with-defaults.js';

const canary = z.strictObject({
  tool: z.string().min(1).describe('the tool to call with every probe'),
  arguments: z.record(z.string(), z.unknown()).optional(),
});

/** The member `monitor` of plugboard.json. */
export const monitorFile = z
  .strictObject({
    enabled: z.boolean().optional().describe('probe registered servers regularly; default: false'),
    intervalSeconds: z.number().int().min(5).max(86_400).optional().describe('time between probes; default: 60'),
    timeoutSeconds: z.number().min(1).max(600).optional().describe('how long a probe may take; default: 10'),
    keepDays: z.number().int().min(1).max(3650).optional().describe('days to keep the history; default: 14'),
    objective: z
      .number()
      .min(0.5)
      .max(0.99999)
      .optional()
      .describe('the share of probes that must succeed; the rest is the error budget; default: 0.99'),
    servers: z.array(z.string().min(1)).optional().describe('probe only these servers; default: all'),
    canary: z
      .enum(['named', 'harmless'])
      .optional()
      .describe(
        'named (default): call only the tools under canaries; harmless: otherwise also one that is read-only by annotation, name and lint',
      ),
    canaries: z.record(z.string(), canary).optional().describe('tools to call, by the name of the server'),
    lockFile: z
      .string()
      .min(1)
      .optional()
      .describe('a lock file to compare lists of tools with, relative to this file'),
    webhook: z
      .strictObject({
        url: z.url({ protocol: /^https?$/u }),
        secret: z.string().min(1).optional().describe('signs each request; ${NAME} is read from the environment'),
      })
      .optional()
      .describe('where alerts are sent with POST'),
  })
  .describe('scheduled probes of the registered servers');
export type MonitorFile = z.infer<typeof monitorFile>;

export interface MonitorSettings {
  readonly enabled: boolean;
  readonly intervalMs: number;
  readonly timeoutMs: number;
  readonly keepDays: number;
  readonly objective: number;
  /** Undefined: all. */
  readonly servers: readonly string[] | undefined;
  readonly canary: 'named' | 'harmless';
  readonly canaries: Readonly<
    Record<string, { readonly tool: string; readonly arguments?: Readonly<Record<string, unknown>> | undefined }>
  >;
  readonly lockFile: string | undefined;
  readonly webhook: { readonly url: string; readonly secret: string | undefined } | undefined;
}

export const DEFAULT_MONITOR: MonitorSettings = {
  enabled: false,
  intervalMs: 60_000,
  timeoutMs: 10_000,
  keepDays: 14,
  objective: 0.99,
  servers: undefined,
  canary: 'named',
  canaries: {},
  lockFile: undefined,
  webhook: undefined,
};

const VARIABLE = /\$\{(?<name>[A-Za-z_]\w*)\}/gu;

const filled = (secret: string | undefined, environment: Readonly<Record<string, string>>): string | undefined =>
  secret?.replaceAll(VARIABLE, (_whole, name: string) => {
    const value = environment[name];
    if (value !== undefined) return value;
    throw new PlugboardError(
      'CONFIG_INVALID',
      `The variable ${name}, which monitor.webhook.secret names, has no value.`,
      {
        hint: `Set ${name} in the environment of the hub.`,
      },
    );
  });

/** @param configFile what the name of the lock file is relative to */
export const monitorSettings = (
  file: MonitorFile | undefined,
  { configFile, environment }: { readonly configFile: string; readonly environment: Readonly<Record<string, string>> },
): MonitorSettings => {
  const { intervalSeconds, timeoutSeconds, lockFile, webhook, ...same } = file ?? {};
  return withDefaults(DEFAULT_MONITOR, {
    ...same,
    intervalMs: intervalSeconds && intervalSeconds * 1000,
    timeoutMs: timeoutSeconds && timeoutSeconds * 1000,
    lockFile: lockFile && resolve(configFile, '..', lockFile),
    webhook: webhook && { url: webhook.url, secret: filled(webhook.secret, environment) },
  });
};
