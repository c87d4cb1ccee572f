import type { Grade, Quarantine, QuarantineRule, Tool, ToolChange, ToolDefinition } from '@plugboard/contract';
import { compareTools } from '@plugboard/schema';
import type { StoredQuarantine, StoredTool } from '../store/store.js';

/** The definition that a sync found. */
interface FoundTool {
  readonly definition: ToolDefinition;
  readonly contractHash: string;
  readonly grade: Grade;
}

/** Does a change of this kind need an operator's approval? */
const needsApproval = (kind: ToolChange['kind'], rule: QuarantineRule): boolean => {
  switch (rule) {
    case 'off':
      return false;
    case 'both':
      return kind !== 'compatible';
    case 'instruction':
    case 'breaking':
      return kind === rule;
    default:
      return rule satisfies never;
  }
};

const unfit = ({ grade }: FoundTool): ToolChange => ({
  kind: 'breaking',
  code: 'definition-invalid',
  pointer: '',
  sentence: `The definition cannot be used: ${grade.reasons[0]?.message ?? 'it is invalid.'}`,
});

/**
 * What becomes of a known tool that its server now defines differently. It is compared with what was last accepted, not
 * with what came last: many small steps are judged as one. A server that goes back to what was accepted is forgiven.
 */
export const quarantineAfter = (
  known: StoredTool,
  found: FoundTool,
  { rule, at }: { readonly rule: QuarantineRule; readonly at: string },
): StoredQuarantine | undefined => {
  // what was never fit to be offered was never accepted either
  if (known.quarantine === undefined && known.grade.status === 'INVALID') return undefined;
  const accepted = known.quarantine?.accepted ?? {
    contractHash: known.contractHash,
    definition: known.definition,
  };
  if (found.contractHash === accepted.contractHash) return undefined;
  const isUnfit = found.grade.status === 'INVALID';
  const compared = compareTools(accepted.definition, found.definition);
  // what cannot be offered accepts nothing: the next definition is compared with the same reference
  const holds = rule !== 'off' && (isUnfit || compared.some(({ kind }) => needsApproval(kind, rule)));
  if (!holds) return undefined;
  const changes = isUnfit ? [...compared, unfit(found)] : compared;
  return {
    since: known.quarantine?.since ?? at,
    accepted,
    changes: changes.map(({ kind, code, pointer, sentence }) => ({ kind, code, pointer, sentence })),
  };
};

export const quarantineView = ({ since, accepted, changes, rejectedAt }: StoredQuarantine): Quarantine => ({
  since,
  kind: changes.some(({ kind }) => kind === 'breaking') ? 'breaking' : 'instruction',
  accepted_hash: accepted.contractHash,
  changes: [...changes],
  ...(rejectedAt === undefined ? {} : { rejected_at: rejectedAt }),
});

/** Does the changed definition of a tool wait for an operator, or was it rejected? Undefined when nothing is held. */
export const decisionState = ({ quarantine }: Pick<Tool, 'quarantine'>): 'held' | 'rejected' | undefined => {
  if (quarantine === undefined) return undefined;
  return quarantine.rejected_at === undefined ? 'held' : 'rejected';
};
