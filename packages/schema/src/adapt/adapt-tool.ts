import type { ProviderVerdict, ToolDefinition } from '@plugboard/contract';
import { checkTexts, isAccepted, type CheckOptions } from '../profile/check-against-profile.js';
import type { ProfileFinding } from '../profile/definition/finding.js';
import { PROFILES, type ProfileId } from '../profile/registry.js';
import { adaptSchema } from './adapt-schema.js';
import { adaptTexts } from './adapt-texts.js';
import { isLossless, type AdaptChange } from './step/change.js';
import { restoreArguments, type RestorePlan, type RestoredArguments } from './restore-plan.js';

export interface AdaptOptions extends CheckOptions {
  /** The name to give the tool, when a list has already chosen one. */
  readonly name?: string | undefined;
}

/** A tool as one provider takes it, with the way back from the model's arguments to the server's. */
export interface Adaptation {
  readonly verdict: ProviderVerdict['verdict'];
  /** The rewritten tool; the original one when it was taken as it is or rejected. */
  readonly definition: ToolDefinition;
  /** Is nothing lost: does every argument come through exactly, in both directions? */
  readonly lossless: boolean;
  readonly changes: readonly AdaptChange[];
  /** Why it was rejected. */
  readonly reasons: readonly ProfileFinding[];
  readonly plan: RestorePlan;
  readonly restore: (args: unknown) => RestoredArguments;
}

const finish = (result: Omit<Adaptation, 'restore' | 'lossless'>): Adaptation => ({
  ...result,
  lossless: isLossless(result.changes),
  restore: (args) => restoreArguments(result.plan, args),
});

const planFor = (tool: ToolDefinition, profile: ProfileId, adaptedName: string): RestorePlan => ({
  profile,
  tool: tool.name,
  adaptedName,
  schema: tool.inputSchema,
  mapping: null,
});

const reject = (tool: ToolDefinition, profile: ProfileId, reasons: readonly ProfileFinding[]): Adaptation =>
  finish({ verdict: 'rejected', definition: tool, changes: [], reasons, plan: planFor(tool, profile, tool.name) });

/** Rewrites one tool for a provider or host. The original is never touched, and nothing is ever thrown. */
export const adaptTool = (tool: ToolDefinition, profileId: ProfileId, options: AdaptOptions = {}): Adaptation => {
  const profile = PROFILES[profileId];
  const adapted = adaptSchema(tool.inputSchema, profile);
  if (!adapted.ok) return reject(tool, profileId, adapted.reasons);
  const keepsName = options.name === undefined || options.name === tool.name;
  if (keepsName && adapted.schema === tool.inputSchema && isAccepted(checkTexts(tool, profile, options))) {
    const plan = planFor(tool, profileId, tool.name);
    return finish({ verdict: 'ok', definition: tool, changes: [], reasons: [], plan });
  }
  const texts = adaptTexts(tool, profile, options);
  const definition: ToolDefinition = { ...texts.tool, inputSchema: adapted.schema };
  const remaining = checkTexts(definition, profile, options).filter(({ level }) => level === 'error');
  if (remaining.length > 0) return reject(tool, profileId, remaining);
  const plan = { ...planFor(tool, profileId, definition.name), mapping: adapted.mapping };
  const changes = [...texts.changes, ...adapted.changes];
  return finish({ verdict: 'rewritten', definition, changes, reasons: [], plan });
};

/** The adapted definition and the plan that maps its arguments back, as data alone. */
export const planAdaptation = (
  tool: ToolDefinition,
  profileId: ProfileId,
  options: AdaptOptions = {},
): { readonly definition: ToolDefinition; readonly plan: RestorePlan } => {
  const { definition, plan } = adaptTool(tool, profileId, options);
  return { definition, plan };
};

const asReason = ({ rule, pointer, message, fix }: ProfileFinding | AdaptChange) =>
  fix === undefined ? { rule, pointer, message } : { rule, pointer, message, fix };

/** The adaptation as the contract states it. */
export const toProviderVerdict = ({ verdict, lossless, changes, reasons }: Adaptation): ProviderVerdict => {
  switch (verdict) {
    case 'ok':
      return { verdict };
    case 'rewritten':
      return { verdict, lossless, changes: changes.map(asReason) };
    case 'rejected':
      return { verdict, reasons: reasons.map(asReason) };
    default:
      return verdict satisfies never;
  }
};
