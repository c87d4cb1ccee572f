import { entryName, healthServiceCreate } from '@plugboard/contract';
import { z } from 'zod';
import { declaredEntry } from '../mcp-json/declared-entry.js';
import { accessFile } from './access-settings.js';
import { boundsFile } from './bounds-settings.js';
import { fleetFile } from './fleet-settings.js';
import { guardFile } from './guard-settings.js';
import { patienceFile } from './patience-settings.js';
import { processFile } from './process-settings.js';
import { networkFile } from './network-settings.js';
import { pluginsFile } from './plugin-settings.js';
import { monitorFile } from './monitor-settings.js';
import { observeFile } from './observe-settings.js';
import { LOG_FORMATS, LOG_LEVELS } from './log-level.js';

const seconds = z.number().positive().max(86_400);

const stdioPolicy = z
  .union([
    z.enum(['on', 'off']),
    z.strictObject({
      allow: z.array(z.string().min(1)).describe('the allowed commands, exactly as servers name them'),
    }),
  ])
  .describe('which programs the hub may start; default: on if it listens on loopback only, otherwise off');

const urlPolicy = z
  .union([
    z.enum(['deny-private', 'allow-all']),
    z.strictObject({
      allow: z
        .array(z.string().min(1))
        .describe('host names, *.domain, addresses, networks such as 10.1.0.0/16, and the words public and loopback'),
    }),
  ])
  .describe('which addresses servers may have; private ones are rejected by default');

/** plugboard.json. `docs/plugboard.schema.json` is generated from this. */
export const configFile = z.strictObject({
  $schema: z.string().optional(),
  home: z.string().min(1).optional().describe("the directory for the hub's state, relative to this file"),
  host: z.string().min(1).optional().describe('the address to listen on; default: 127.0.0.1'),
  port: z
    .number()
    .int()
    .min(0)
    .max(65_535)
    .optional()
    .describe('the port to listen on; default: 2091. 0 picks a free port'),
  publicUrl: z
    .url({ protocol: /^https?$/u })
    .optional()
    .describe('the URL that browsers use for this hub, if it differs from the address it listens on'),
  clientMetadataUrl: z
    .url({ protocol: /^https$/u })
    .optional()
    .describe("the URL of the hub's OAuth client metadata; default: a path under publicUrl"),
  insecure: z.boolean().optional().describe('allow listening on a public address without access control'),
  databaseUrl: z
    .string()
    .regex(/^postgres(?:ql)?:\/\//u, 'must be a postgres:// URL')
    .optional()
    .describe('a Postgres URL; replaces the embedded store'),
  masterKeyFile: z.string().min(1).optional().describe('the file that holds the master key, relative to this file'),
  logLevel: z.enum(LOG_LEVELS).optional(),
  logFormat: z
    .enum(LOG_FORMATS)
    .optional()
    .describe('readable lines or JSON; auto, the default, writes readable lines to a terminal and JSON otherwise'),
  stdio: stdioPolicy.optional(),
  urls: urlPolicy.optional(),
  access: accessFile.optional(),
  templateEnvironment: z
    .union([z.literal('all'), z.array(z.string().min(1))])
    .optional()
    .describe(
      'environment variables of the hub that templates may use, such as GITHUB_TOKEN or MCP_*; default: all on loopback, otherwise none',
    ),
  deadlines: z
    .strictObject({ connect: seconds.optional(), list: seconds.optional(), call: seconds.optional() })
    .optional()
    .describe('time limits of each step with a server, in seconds'),
  network: networkFile.optional(),
  maxRetries: z
    .number()
    .int()
    .min(0)
    .max(100)
    .optional()
    .describe('how often a failed call is retried if a retry is safe'),
  patience: patienceFile.optional(),
  processes: processFile.optional(),
  guard: guardFile.optional(),
  bounds: boundsFile.optional(),
  observe: observeFile.optional(),
  monitor: monitorFile.optional(),
  fleet: fleetFile.optional(),
  aliases: z
    .record(entryName, entryName)
    .optional()
    .describe('alternative names of servers in paths under /servers; default: docling and postman'),
  services: z
    .record(
      entryName,
      z.strictObject({
        url: healthServiceCreate.shape.url,
        intervalSeconds: healthServiceCreate.shape.interval_seconds.unwrap().optional(),
      }),
    )
    .optional()
    .describe('services to monitor that do not speak MCP'),
  plugins: pluginsFile.optional(),
  prune: z.boolean().optional().describe('remove servers that are no longer in mcpServers; default: false'),
  mcpServers: z
    .record(entryName, declaredEntry)
    .optional()
    .describe('servers to register at start, in the format that MCP clients share'),
});
export type ConfigFile = z.infer<typeof configFile>;

/** docs/plugboard.schema.json: what an editor needs to check and complete plugboard.json. */
export const configJsonSchema = (): Readonly<Record<string, unknown>> => ({
  ...z.toJSONSchema(configFile, { io: 'input' }),
  title: 'plugboard.json',
  description: 'The configuration of a Plugboard hub. PLUGBOARD_* variables and flags override it.',
});
