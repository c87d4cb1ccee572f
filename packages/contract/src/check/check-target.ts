import { z } from 'zod';
import { checkEra, checkTier, checkTransport } from './check-report.js';
import { loadPlan } from './load-plan.js';

const milliseconds = z.number().int().min(1).max(3_600_000);

const toolCall = z.strictObject({
  arguments: z
    .union([z.record(z.string(), z.unknown()), z.array(z.record(z.string(), z.unknown())).min(1)])
    .optional()
    .describe(
      'the arguments of the call, or a list with the arguments of several calls; default: generated from the schema',
    ),
  safe: z.boolean().default(true).describe('false: never call the tool, even if it is annotated as read-only'),
});

const checkBudgets = z.strictObject({
  requestMs: milliseconds.default(10_000).describe('the time limit for an answer'),
  startMs: milliseconds.default(15_000).describe('the time limit for the first answer of a process'),
  quietMs: milliseconds.default(150).describe('how long to wait before the absence of a message counts as silence'),
  checkMs: milliseconds.default(45_000).describe('the time limit for one check'),
  runMs: milliseconds.default(900_000).describe('the time limit for the run'),
  concurrency: z.number().int().min(1).max(64).default(4).describe('the number of checks that run concurrently'),
  coldStartMs: milliseconds.default(10_000).describe('report a start that takes longer than this'),
  generated: z.number().int().min(1).max(1_000).default(12).describe('the number of generated calls for each tool'),
});

const httpUrl = z.url({ protocol: /^https?$/u });

/** How the referee gets the token that it shows to a server. */
const checkAuth = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('token'), token: z.string().min(1).describe('the access token itself') }),
  z.strictObject({
    type: z.literal('command'),
    command: z.array(z.string()).min(1).describe('a program that prints an access token'),
  }),
  z.strictObject({
    type: z.literal('oauth'),
    client_id: z.string().min(1),
    client_secret: z.string().min(1),
    token_url: httpUrl.optional().describe('default: discovered from the metadata of the server'),
    scope: z.string().optional(),
    resource: z.string().optional().describe('the audience of the token; default: the URL of the server'),
    client_authentication: z.enum(['basic', 'post']).default('basic'),
  }),
]);
export type CheckAuth = z.infer<typeof checkAuth>;

/** What the checks of OAuth may use: what only the one who runs the server can give. */
const checkAuthorization = z.strictObject({
  clientId: z.string().optional().describe('the id of a client that is registered with the authorization server'),
  clientSecret: z.string().optional().describe('the secret of that client, if it has one'),
  redirectUri: z.url().optional().describe('a redirect URI registered for that client'),
  register: z.boolean().default(false).describe('true: the checks may register a client with the authorization server'),
  expiredToken: z.string().optional().describe('an access token that has expired'),
  narrowToken: z.string().optional().describe('an access token that can open a session but cannot call tools'),
  otherAudienceToken: z.string().optional().describe('an access token of the same issuer for another server'),
  upstreamTool: z
    .string()
    .optional()
    .describe('a tool whose result contains the headers that the server sends to its own upstream'),
});

export const failOn = z.enum(['must', 'should', 'advice', 'never']);
export type FailOn = z.infer<typeof failOn>;

const address = {
  url: httpUrl.optional().describe('the endpoint of a server that uses HTTP'),
  command: z.array(z.string()).min(1).optional().describe('the command of a stdio server, with its arguments'),
  cwd: z.string().optional().describe('the working directory of the program'),
  transport: checkTransport.optional().describe('default: detected'),
  headers: z.record(z.string(), z.string()).default({}).describe('HTTP headers to send with every request'),
  auth: checkAuth.optional().describe('how to get an access token; it is sent as a bearer token'),
  env: z
    .record(z.string(), z.string())
    .default({})
    .describe('environment variables of the program, in addition to PATH and HOME'),
};

/** Where a server is. */
export const checkTargetAddress = z.strictObject({
  ...address,
  name: z.string().optional().describe('the name in reports; without url and command: the name of a registered server'),
});
export type CheckTargetAddress = z.infer<typeof checkTargetAddress>;

/** The other side of a differential run. */
const checkDifferential = z.strictObject({
  ...address,
  name: z.string().optional().describe('the name in reports; without url and command: the name of a registered server'),
  era: checkEra.optional().describe('the era to use; without an address: the same server in that era'),
  prefix: z.string().optional().describe('the prefix of tool and prompt names on the other side'),
  permit: z
    .array(z.string())
    .default([])
    .describe('intended differences, by path, such as tools/search/description; * matches any part'),
});
export type CheckDifferential = z.infer<typeof checkDifferential>;

const aggregatedServer = z.strictObject({
  prefix: z.string().min(1).describe('the prefix of its tool names in the aggregate, such as weather__'),
  url: httpUrl.optional().describe('the URL from which its own list of tools is read, without credentials'),
  transport: z.enum(['streamable-http', 'sse']).default('streamable-http'),
  tools: z
    .array(z.string())
    .optional()
    .describe('the names of its tools; needed if it has no url, or if the aggregate offers only some of them'),
  dead: z.boolean().default(false).describe('true: the server is down, and its tools may be missing'),
});
export type CheckAggregatedServer = z.infer<typeof aggregatedServer>;

/** Says that the target shows several servers as one, and what the checks of such a hub may use. */
const checkHub = z.strictObject({
  servers: z.array(aggregatedServer).min(1).describe('the servers behind the target'),
  changingTool: z.string().optional().describe('a tool that changes the tool list of its server'),
  progressTool: z.string().optional().describe('a tool that reports progress'),
  metaTool: z.string().optional().describe('a tool whose result contains the _meta that it received'),
});
export type CheckHub = z.infer<typeof checkHub>;

/** What a suite is run on: one definition for all of them. */
export const checkTarget = z.strictObject({
  $schema: z.string().optional().describe('the JSON Schema of this file'),
  name: z.string().optional().describe('the name in reports; without url and command: the name of a registered server'),
  ...address,
  otherHeaders: z
    .record(z.string(), z.string())
    .optional()
    .describe('HTTP headers of a second user, for checks that users are isolated from each other'),
  authorization: checkAuthorization.optional().describe('credentials and permissions for the OAuth checks'),
  tools: z
    .record(z.string(), toolCall)
    .default({})
    .describe('the tools that may be called, with their arguments; "*" for all tools annotated as read-only'),
  prompts: z
    .record(z.string(), z.record(z.string(), z.string()))
    .default({})
    .describe('the prompts that may be requested, with their arguments; "*" for all'),
  resources: z.array(z.string()).default([]).describe('URIs that may be read, in addition to the listed ones'),
  budgets: checkBudgets.default(() => checkBudgets.parse({})),
  tier: checkTier.default('standard'),
  dryRun: z
    .boolean()
    .default(false)
    .describe('true: report what would run and which tools it would call, but call nothing'),
  era: checkEra.optional().describe('check only this era; default: both'),
  suites: z.array(z.string()).default([]).describe('run only these families of checks'),
  only: z.array(z.string()).default([]).describe('run only these checks: ids, or prefixes of ids followed by *'),
  skip: z.array(z.string()).default([]).describe('skip these checks'),
  seed: z.number().int().optional().describe('the seed of all generated values; it is in the report'),
  failOn: failOn.default('must').describe('the lowest level that fails the run'),
  baseline: z.array(z.string()).default([]).describe('known failures: ids, optionally followed by @era'),
  differential: checkDifferential.optional().describe('compare with another connection to the same server'),
  hub: checkHub.optional().describe('the target is a hub in front of these servers'),
  load: loadPlan.optional().describe('the load to generate, and its thresholds'),
});
export type CheckTarget = z.infer<typeof checkTarget>;
export type CheckTargetInput = z.input<typeof checkTarget>;
