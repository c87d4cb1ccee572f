import type { ServerId } from '../field/identifier.js';
import type { ToolDefinition } from '../tool/tool-definition.js';
import type { Tool } from '../tool/tool.js';

/** How the list of tools that a server gives to one session differs from the catalogue. */
export interface SessionOffer {
  /** Tools that the session has and the catalogue has not, or not in this form. Withheld ones are not enabled. */
  readonly tools: readonly Tool[];
  /** The same tools as they are listed, by the name the server knows. */
  readonly definitions: ReadonlyMap<string, ToolDefinition>;
  /** Tools of the catalogue that the session's list lacks, by the name the server knows. */
  readonly hidden: ReadonlySet<string>;
}

/** The list of one session. */
export interface SessionList {
  readonly definitions: readonly ToolDefinition[];
  /** Names whose definitions differ from the catalogue in nothing but the era that they were read in. */
  readonly sameInEra?: ReadonlySet<string> | undefined;
  /** What the session was offered until now. */
  readonly before?: SessionOffer | undefined;
}

/** Compares the list of a session with the catalogue; undefined when it is the same. */
export type CompareSessionList = (id: ServerId, list: SessionList) => Promise<SessionOffer | undefined>;
