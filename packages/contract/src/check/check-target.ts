import { z } from 'zod';
import { checkEra, checkTier, checkTransport } from './check-report.js';
import { loadPlan } from './load-plan.js';

const milliseconds = z.number().int().min(1).max(3_600_000);

const toolCall = z.strictObject({
  arguments: z
    .union([z.record(z.string(), z.unknown()), z.array(z.record(z.string(), z.unknown())).min(1)])
    .optional()
    .describe('arguments to call it with, or several sets of them; generated from the schema when absent'),
  safe: z.boolean().default(true).describe('false: never call it, whatever its annotations say'),
});

const checkBudgets = z.strictObject({
  requestMs: milliseconds.default(10_000).describe('how long an answer may take'),
  startMs: milliseconds.default(15_000).describe('how long a process may take until its first answer'),
  quietMs: milliseconds.default(150).describe('how long silence must last to count as silence'),
  checkMs: milliseconds.default(45_000).describe('how long one check may take'),
  runMs: milliseconds.default(900_000).describe('how long the run may take'),
  concurrency: z.number().int().min(1).max(64).default(4).describe('how many checks run at the same time'),
  coldStartMs: milliseconds.default(10_000).describe('how long a start may take until it is worth a remark'),
  generated: z.number().int().min(1).max(1_000).default(12).describe('how many generated calls a tool gets'),
});

const httpUrl = z.url({ protocol: /^https?$/u });

/** How the referee gets the token that it shows to a server. */
const checkAuth = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('token'), token: z.string().min(1).describe('an access token, as it is') }),
  z.strictObject({
    type: z.literal('command'),
    command: z.array(z.string()).min(1).describe('a program that prints an access token'),
  }),
  z.strictObject({
    type: z.literal('oauth'),
    client_id: z.string().min(1),
    client_secret: z.string().min(1),
    token_url: httpUrl.optional().describe('found through the metadata of the server when absent'),
    scope: z.string().optional(),
    resource: z.string().optional().describe('whom the token is for; the URL of the server when absent'),
    client_authentication: z.enum(['basic', 'post']).default('basic'),
  }),
]);
export type CheckAuth = z.infer<typeof checkAuth>;

/** What the checks of OAuth may use: what only the one who runs the server can give. */
const checkAuthorization = z.strictObject({
  clientId: z.string().optional().describe('a client that the authorization server knows'),
  clientSecret: z.string().optional().describe('the secret of that client, if it has one'),
  redirectUri: z.url().optional().describe('a redirect URI that is registered for that client'),
  register: z.boolean().default(false).describe('true: a client may be registered at the authorization server'),
  expiredToken: z.string().optional().describe('an access token that has expired'),
  narrowToken: z.string().optional().describe('an access token that may open a session but not call tools'),
  otherAudienceToken: z.string().optional().describe('an access token of the same issuer for another server'),
  upstreamTool: z
    .string()
    .optional()
    .describe('a tool whose result shows the headers that the server sends to its own upstream'),
});

export const failOn = z.enum(['must', 'should', 'advice', 'never']);
export type FailOn = z.infer<typeof failOn>;

const address = {
  url: httpUrl.optional().describe('the endpoint of a server behind HTTP'),
  command: z.array(z.string()).min(1).optional().describe('the program of a stdio server and its arguments'),
  cwd: z.string().optional().describe('where the program is started'),
  transport: checkTransport.optional().describe('detected when absent'),
  headers: z.record(z.string(), z.string()).default({}).describe('HTTP headers of every request'),
  auth: checkAuth.optional().describe('how to get an access token; sent as a bearer token'),
  env: z.record(z.string(), z.string()).default({}).describe('environment of the program, besides PATH and HOME'),
};

/** Where a server is. */
export const checkTargetAddress = z.strictObject({
  ...address,
  name: z.string().optional().describe('how reports call it; alone, the name of a registered server'),
});
export type CheckTargetAddress = z.infer<typeof checkTargetAddress>;

/** The other side of a differential run. */
const checkDifferential = z.strictObject({
  ...address,
  name: z.string().optional().describe('how reports call it; alone, the name of a registered server'),
  era: checkEra.optional().describe('in which era it is spoken to; alone, the same server in that era'),
  prefix: z.string().optional().describe('what the other side puts before the names of tools and prompts'),
  permit: z
    .array(z.string())
    .default([])
    .describe('differences that are meant: their addresses, such as tools/search/description, with * for any part'),
});
export type CheckDifferential = z.infer<typeof checkDifferential>;

const aggregatedServer = z.strictObject({
  prefix: z.string().min(1).describe('what the aggregate puts before the names of its tools, such as weather__'),
  url: httpUrl.optional().describe('where its own list of tools is read, without credentials'),
  transport: z.enum(['streamable-http', 'sse']).default('streamable-http'),
  tools: z
    .array(z.string())
    .optional()
    .describe('its tools by their own names, where it has no url or the aggregate shows a part of them'),
  dead: z.boolean().default(false).describe('true: it is down, and its tools may be missing'),
});
export type CheckAggregatedServer = z.infer<typeof aggregatedServer>;

/** Says that the target shows several servers as one, and what the checks of such a hub may use. */
const checkHub = z.strictObject({
  servers: z.array(aggregatedServer).min(1).describe('the servers that it shows as one'),
  changingTool: z.string().optional().describe('a tool of a server that changes the list of tools of that server'),
  progressTool: z.string().optional().describe('a tool of a server that reports progress'),
  metaTool: z.string().optional().describe('a tool of a server whose result shows the _meta that reached it'),
});
export type CheckHub = z.infer<typeof checkHub>;

/** What a suite is run on: one definition for all of them. */
export const checkTarget = z.strictObject({
  $schema: z.string().optional().describe('where the JSON Schema of this file is'),
  name: z.string().optional().describe('how reports call it; alone, the name of a registered server'),
  ...address,
  otherHeaders: z
    .record(z.string(), z.string())
    .optional()
    .describe('HTTP headers of a second user, for checks that keep users apart'),
  authorization: checkAuthorization.optional().describe('what the checks of OAuth may use'),
  tools: z
    .record(z.string(), toolCall)
    .default({})
    .describe('which tools may be called freely, and with what; "*" for all that say they only read'),
  prompts: z
    .record(z.string(), z.record(z.string(), z.string()))
    .default({})
    .describe('which prompts may be got freely, and with which arguments; "*" for all'),
  resources: z.array(z.string()).default([]).describe('URIs that may be read besides the listed ones'),
  budgets: checkBudgets.default(() => checkBudgets.parse({})),
  tier: checkTier.default('standard'),
  dryRun: z.boolean().default(false).describe('true: report what would be run and called, and call nothing'),
  era: checkEra.optional().describe('only this era; both when absent'),
  suites: z.array(z.string()).default([]).describe('only these families of checks'),
  only: z.array(z.string()).default([]).describe('only these checks: ids, or beginnings of ids followed by *'),
  skip: z.array(z.string()).default([]).describe('not these checks'),
  seed: z.number().int().optional().describe('of everything that is generated; printed with the report'),
  failOn: failOn.default('must').describe('the least level at which a finding fails the run'),
  baseline: z.array(z.string()).default([]).describe('failures that are known: ids, optionally followed by @era'),
  differential: checkDifferential.optional().describe('compare with another way to the same server'),
  hub: checkHub.optional().describe('the target shows these servers as one'),
  load: loadPlan.optional().describe('the load that is put on the target, and what it must show'),
});
export type CheckTarget = z.infer<typeof checkTarget>;
export type CheckTargetInput = z.input<typeof checkTarget>;
