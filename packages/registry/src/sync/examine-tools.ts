import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  jsonSize,
  PlugboardError,
  timedWork,
  toPlugboardError,
  type Grade,
  type NormalisedSchema,
  type ProviderVerdicts,
  type SyncReport,
  type ToolDefinition,
} from '@plugboard/contract';
import { contractHash, providerVerdicts } from '@plugboard/schema';
import { graded } from '../catalogue/graded.js';
import { MANY_TOOLS } from './judge-providers.js';

/** A tool that can be stored, with what the schema doctor says of it. */
export interface ExaminedTool {
  readonly definition: ToolDefinition;
  readonly position: number;
  readonly grade: Grade;
  /** Undefined where nobody asked for them; long lists are judged once they are stored. */
  readonly providers: ProviderVerdicts | undefined;
  readonly contractHash: string;
  readonly normalised: NormalisedSchema;
}

export interface Examination {
  readonly tools: readonly ExaminedTool[];
  readonly failed: SyncReport['failed'];
}

/** What is known of a definition that was examined before. */
export type Recall = (definition: ToolDefinition, position: number) => ExaminedTool | undefined;

export interface ExamineOptions {
  /** Shall it be found out what each provider says? It takes longer than all the rest, so not in long lists. */
  readonly judges?: boolean | undefined;
  readonly recall?: Recall | undefined;
}

const MAX_NAME_BYTES = 512;
/** Much larger than any definition that a model could read. Grading takes time that grows with it. */
const MAX_DEFINITION_BYTES = 256 * 1024;
/** For so long tools are graded before other requests get their turn. */
const TURN_MS = 10;
const LONE_SURROGATE = /\p{Surrogate}/u;
const LONE_SURROGATES = /\p{Surrogate}/gu;

const unusable = (message: string): PlugboardError =>
  new PlugboardError('UPSTREAM_PROTOCOL', message, { hint: 'The author of the server must fix its tools/list.' });

const requireStorable = (definition: ToolDefinition): void => {
  const { name } = definition;
  if (typeof name !== 'string' || name === '') throw unusable('The tool has no name.');
  if (Buffer.byteLength(name) > MAX_NAME_BYTES) throw unusable(`The name is longer than ${MAX_NAME_BYTES} bytes.`);
  if (name.includes('\u0000') || LONE_SURROGATE.test(name)) throw unusable('The name is not legal text.');
  if (jsonSize(definition, MAX_DEFINITION_BYTES) > MAX_DEFINITION_BYTES || bytesOf(definition) > MAX_DEFINITION_BYTES) {
    throw unusable(`The definition is larger than ${MAX_DEFINITION_BYTES / 1024} KiB.`);
  }
};

const bytesOf = (definition: ToolDefinition): number => {
  try {
    return Buffer.byteLength(JSON.stringify(definition));
  } catch {
    throw unusable('The definition cannot be serialised as JSON.');
  }
};

const examine = (definition: ToolDefinition, position: number, judges: boolean): ExaminedTool => {
  requireStorable(definition);
  return {
    definition,
    position,
    providers: judges ? providerVerdicts(definition) : undefined,
    contractHash: contractHash(definition),
    ...graded(definition),
  };
};

const nameForReport = (definition: ToolDefinition, position: number): string =>
  typeof definition.name === 'string' && definition.name !== ''
    ? definition.name.slice(0, MAX_NAME_BYTES).replaceAll(LONE_SURROGATES, '\uFFFD')
    : `(entry ${position + 1} without a name)`;

/** Looks at each tool on its own: what is wrong with one says nothing about the others. */
export const examineTools = async (
  definitions: readonly ToolDefinition[],
  { judges = definitions.length <= MANY_TOOLS, recall }: ExamineOptions = {},
): Promise<Examination> => {
  const tools: ExaminedTool[] = [];
  const failed: SyncReport['failed'] = [];
  const seen = new Set<string>();
  let turnStartedAt = performance.now();
  for (const [position, definition] of definitions.entries()) {
    // grading is work for the processor; other requests get their turn in between
    if (performance.now() - turnStartedAt > TURN_MS) {
      await nextTurn();
      turnStartedAt = performance.now();
    }
    try {
      if (seen.has(definition.name)) throw unusable('The server lists this name twice; the first one was kept.');
      const recalled = recall?.(definition, position);
      if (recalled !== undefined && (recalled.providers !== undefined || !judges)) {
        tools.push(recalled);
        seen.add(definition.name);
        continue;
      }
      const work = (): string => `examining the tool ${nameForReport(definition, position)}`;
      tools.push(timedWork(work, () => examine(definition, position, judges)));
      seen.add(definition.name);
    } catch (thrown) {
      failed.push({ name: nameForReport(definition, position), error: toPlugboardError(thrown).toJSON() });
    }
  }
  return { tools, failed };
};
