import type { CheckEra, CheckLevel, CheckSource, CheckTier, CheckTransport } from '@plugboard/contract';
import type { Probe } from '../probe/probe.js';
import type { LegacyRevision } from '../session/revision.js';
import type { Capability } from './capability.js';
import type { Family } from './family.js';
import type { Finding } from './finding.js';

/** One verifiable statement about an MCP server. */
export interface Check {
  /** As in the catalogue: three letters, two digits. */
  readonly id: string;
  /** What holds when it passes, in one line. */
  readonly title: string;
  readonly family: Family;
  /** `both`: compares the eras, so it runs once and only on a server that speaks both. */
  readonly eras: readonly CheckEra[] | 'both';
  readonly transports: readonly CheckTransport[];
  readonly level: CheckLevel;
  /** Where the legacy revisions demand less. */
  readonly legacyLevel?: CheckLevel;
  /** The legacy revision whose text demands it first. */
  readonly since?: LegacyRevision;
  /** How grave it is for a server that agreed on an older one; default: an advice. */
  readonly levelBefore?: CheckLevel;
  /** The sentence that demands it; one per era where they differ. */
  readonly source: CheckSource | Readonly<Record<CheckEra, CheckSource>>;
  /** What the author of the server should do. */
  readonly remedy: string;
  /** The least thorough run that includes it. */
  readonly tier: CheckTier;
  /** Does not apply to a server that does not declare this. */
  readonly needs?: Capability;
  /** `last`: looks back at everything that the other checks made the server say. */
  readonly phase?: 'last';
  /** Runs while no other check does, because it measures or disturbs. */
  readonly alone?: boolean;
  /** About the run as a whole: once, in the first era, and not compared. */
  readonly perRun?: boolean;
  /** Whether it demands an answer where a server may stay silent: then silence breaks it. Otherwise silence is LIF-29. */
  readonly demandsAnswer?: boolean;
  /** One request does not show it: it takes what came before, or the way in which it was sent. */
  readonly inSequence?: boolean;
  /** Can be judged of a server that wants a token, without one. */
  readonly unopened?: boolean;
  run(probe: Probe): Promise<Finding>;
}

export const ALL_TRANSPORTS: readonly CheckTransport[] = ['stdio', 'streamable-http', 'sse'];
/** HTTP+SSE is older than the modern era. */
export const MODERN_TRANSPORTS: readonly CheckTransport[] = ['stdio', 'streamable-http'];
export const HTTP_ONLY: readonly CheckTransport[] = ['streamable-http'];
export const BOTH_ERAS: readonly CheckEra[] = ['legacy', 'modern'];

/** Gives a check its type; the place to look when something of the shape is unclear. */
export const defineCheck = (check: Check): Check => check;

/** Whether the revision that a server agreed on is older than the demand. */
export const isBeforeDemand = ({ since }: Check, era: CheckEra, revision: string | undefined): boolean =>
  era === 'legacy' && since !== undefined && revision !== undefined && revision < since;

/** How grave it is in an era: as the text of that revision says. */
export const levelFor = (check: Check, era: CheckEra, revision?: string): CheckLevel => {
  if (isBeforeDemand(check, era, revision)) return check.levelBefore ?? 'ADVICE';
  return era === 'legacy' ? (check.legacyLevel ?? check.level) : check.level;
};

export const sourceFor = ({ source }: Check, era: CheckEra): CheckSource =>
  'sentence' in source ? source : source[era];
