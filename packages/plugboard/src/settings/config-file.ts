import { entryName, healthServiceCreate } from '@plugboard/contract';
import { z } from 'zod';
import { declaredEntry } from '../mcp-json/declared-entry.js';
import { accessFile } from './access-settings.js';
import { boundsFile } from './bounds-settings.js';
import { guardFile } from './guard-settings.js';
import { patienceFile } from './patience-settings.js';
import { processFile } from './process-settings.js';
import { networkFile } from './network-settings.js';
import { pluginsFile } from './plugin-settings.js';
import { observeFile } from './observe-settings.js';
import { LOG_FORMATS, LOG_LEVELS } from './log-level.js';

const seconds = z.number().positive().max(86_400);

const stdioPolicy = z
  .union([
    z.enum(['on', 'off']),
    z.strictObject({ allow: z.array(z.string().min(1)).describe('the commands that may be started, as written') }),
  ])
  .describe('which programs the hub may start; on when it listens on loopback only, else off');

const urlPolicy = z
  .union([
    z.enum(['deny-private', 'allow-all']),
    z.strictObject({
      allow: z
        .array(z.string().min(1))
        .describe('host names, *.domain, addresses, networks such as 10.1.0.0/16, and the words public and loopback'),
    }),
  ])
  .describe('which addresses servers may have; private ones are refused unless this says otherwise');

/** plugboard.json. `docs/plugboard.schema.json` is generated from this. */
export const configFile = z.strictObject({
  $schema: z.string().optional(),
  home: z.string().min(1).optional().describe('where state is kept; relative to this file'),
  host: z.string().min(1).optional().describe('the address to listen on; 127.0.0.1 when left out'),
  port: z.number().int().min(0).max(65_535).optional().describe('2091 when left out; 0 for any free port'),
  publicUrl: z
    .url({ protocol: /^https?$/u })
    .optional()
    .describe('the URL under which browsers reach this hub, when it is not the one it listens on'),
  clientMetadataUrl: z
    .url({ protocol: /^https$/u })
    .optional()
    .describe("where the hub's OAuth client metadata can be read; under publicUrl when left out"),
  insecure: z.boolean().optional().describe('listen beyond loopback without access control'),
  databaseUrl: z
    .string()
    .regex(/^postgres(?:ql)?:\/\//u, 'must be a postgres:// URL')
    .optional()
    .describe('Postgres instead of the embedded store'),
  masterKeyFile: z.string().min(1).optional().describe('the file with the master key; relative to this file'),
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
      'which environment variables of the hub templates may name, such as GITHUB_TOKEN or MCP_*; all on loopback, else none',
    ),
  deadlines: z
    .strictObject({ connect: seconds.optional(), list: seconds.optional(), call: seconds.optional() })
    .optional()
    .describe('how long each step with a server may take, in seconds'),
  network: networkFile.optional(),
  maxRetries: z
    .number()
    .int()
    .min(0)
    .max(100)
    .optional()
    .describe('how often a failed call is sent again when that is safe'),
  patience: patienceFile.optional(),
  processes: processFile.optional(),
  guard: guardFile.optional(),
  bounds: boundsFile.optional(),
  observe: observeFile.optional(),
  aliases: z
    .record(entryName, entryName)
    .optional()
    .describe('other names of servers, for paths under /servers; docling and postman unless this says otherwise'),
  services: z
    .record(
      entryName,
      z.strictObject({
        url: healthServiceCreate.shape.url,
        intervalSeconds: healthServiceCreate.shape.interval_seconds.unwrap().optional(),
      }),
    )
    .optional()
    .describe('what the deployment depends on and speaks no MCP: only asked whether it is well'),
  plugins: pluginsFile.optional(),
  prune: z
    .boolean()
    .optional()
    .describe('remove servers that have left mcpServers; they stay registered when left out'),
  mcpServers: z
    .record(entryName, declaredEntry)
    .optional()
    .describe('servers to register at start, in the format that MCP clients share'),
});
export type ConfigFile = z.infer<typeof configFile>;
