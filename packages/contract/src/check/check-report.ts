import { z } from 'zod';
import { count } from '../field/count.js';
import { timestamp } from '../field/text.js';

export const checkLevel = z.enum(['MUST', 'SHOULD', 'ADVICE']);
export type CheckLevel = z.infer<typeof checkLevel>;

/** not-verified: could not be exercised; it never counts as a pass. */
const checkVerdict = z.enum(['pass', 'fail', 'warn', 'not-applicable', 'not-verified']);
export type CheckVerdict = z.infer<typeof checkVerdict>;

export const checkTier = z.enum(['smoke', 'standard', 'full', 'intrusive']);
export type CheckTier = z.infer<typeof checkTier>;

export const checkEra = z.enum(['legacy', 'modern']);
export type CheckEra = z.infer<typeof checkEra>;

export const checkTransport = z.enum(['stdio', 'streamable-http', 'sse']);
export type CheckTransport = z.infer<typeof checkTransport>;

/** What a run was about. */
export const reachedTarget = z.object({ label: z.string(), transport: checkTransport.optional() });

/** The sentence that a check holds a server to. */
const checkSource = z.object({ sentence: z.string(), url: z.string() });
export type CheckSource = z.infer<typeof checkSource>;

/** Some bytes of the wire, as text. */
const checkTranscriptEntry = z.object({
  /** Milliseconds since the run began. */
  at: z.number().nonnegative(),
  connection: z.number().int().nonnegative(),
  direction: z.enum(['sent', 'received', 'note']),
  text: z.string(),
  /** How many bytes there were, when `text` is not all of them. */
  bytes: z.number().int().nonnegative().optional(),
});
export type CheckTranscriptEntry = z.infer<typeof checkTranscriptEntry>;

const checkEvidence = z.object({
  sent: z.string(),
  received: z.string(),
  expected: z.string(),
  /** One line for a shell that shows the same again. */
  reproduce: z.string().optional(),
  transcript: z.array(checkTranscriptEntry),
});
export type CheckEvidence = z.infer<typeof checkEvidence>;

export const checkResult = z.object({
  id: z.string(),
  /** What holds when it passes. */
  title: z.string(),
  /** What is wrong, in a finding. */
  problem: z.string().optional(),
  family: z.string(),
  level: checkLevel,
  tier: checkTier,
  transport: checkTransport,
  /** `both`: the check compared the eras. `none`: it is not about MCP. */
  era: z.enum(['legacy', 'modern', 'both', 'none']),
  verdict: checkVerdict,
  /** What was found, in a sentence. */
  detail: z.string().optional(),
  /** not-verified: what the operator has to give for a verdict. */
  supply: z.string().optional(),
  source: checkSource,
  remedy: z.string(),
  evidence: checkEvidence.optional(),
  /** The failure is an entry of the baseline. */
  expected: z.boolean().optional(),
  durationMs: z.number().nonnegative(),
});
export type CheckResult = z.infer<typeof checkResult>;

export const checkSummary = z.object({
  total: count,
  pass: count,
  fail: count,
  warn: count,
  notApplicable: count,
  notVerified: count,
  /** Failures that the baseline knows. */
  expected: count,
  /** pass ÷ (pass + fail + warn); null when too much could not be verified for a percentage to mean anything. */
  rate: z.number().min(0).max(1).nullable(),
});
export type CheckSummary = z.infer<typeof checkSummary>;

/** What the referee examined, as it introduced itself. */
export const checkedServer = z.object({
  name: z.string().optional(),
  version: z.string().optional(),
  eras: z.array(checkEra),
  /** The revisions that were judged. */
  revisions: z.array(z.string()),
});
export type CheckedServer = z.infer<typeof checkedServer>;

/** Something of the server that runs code, and what the referee did with it. */
const checkCall = z.object({
  kind: z.enum(['tool', 'prompt', 'resource template']),
  name: z.string(),
  /** Whether it may be called. */
  may: z.boolean(),
  /** Why it may, or may not. */
  why: z.string(),
  /** How often it was called. */
  calls: count,
  /** With which arguments it is called first. */
  arguments: z.array(z.record(z.string(), z.unknown())).optional(),
});
export type CheckCall = z.infer<typeof checkCall>;

/** A check of a dry run. */
const checkPlanEntry = z.object({
  id: z.string(),
  title: z.string(),
  family: z.string(),
  level: checkLevel,
  era: checkResult.shape.era,
  /** Why it does not apply or cannot be verified; absent when it would run. */
  why: z.string().optional(),
});
export type CheckPlanEntry = z.infer<typeof checkPlanEntry>;

/**
 * incomplete: a substantial part could not be verified. unreachable: nothing answers at the address.
 * not-examined: it answers, but not as an MCP server, or the run was cancelled.
 */
export const checkOutcome = z.enum(['passed', 'failed', 'incomplete', 'unreachable', 'not-examined']);
export type CheckOutcome = z.infer<typeof checkOutcome>;

/** One run of the referee: the only thing that reporters read. */
export const checkReport = z.object({
  format: z.literal('plugboard.check/1'),
  /** What was examined, when it was no run of checks: then tier and seed mean nothing. */
  kind: z.enum(['contract', 'workflow', 'replay', 'llm', 'eval']).optional(),
  version: z.string(),
  target: reachedTarget,
  server: checkedServer.optional(),
  startedAt: timestamp,
  durationMs: z.number().nonnegative(),
  /** From the first request to its answer. Over stdio, how long the program takes to start. */
  firstAnswerMs: z.number().nonnegative().optional(),
  seed: z.number().int(),
  tier: checkTier,
  failOn: z.enum(['must', 'should', 'advice', 'never']),
  results: z.array(checkResult),
  summary: checkSummary,
  /** What was called and what was not, and why. */
  calls: z.array(checkCall).optional(),
  /** A dry run: what would be run. Nothing was. */
  plan: z.array(checkPlanEntry).optional(),
  /** Entries of the baseline that no longer fail. */
  staleBaseline: z.array(z.string()),
  outcome: checkOutcome,
  /** Why it is incomplete, unreachable or not-examined. */
  reason: z.string().optional(),
});
export type CheckReport = z.infer<typeof checkReport>;
