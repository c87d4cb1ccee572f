import type { CheckLevel, CheckResult } from '@plugboard/contract';
import type { Change } from '@plugboard/schema';

/** How a difference from the lock is judged, and what to do about it. */
export interface ContractRule {
  readonly id: string;
  readonly level: CheckLevel;
  readonly problem: string;
  readonly sentence: string;
  readonly remedy: string;
}

const PAGE = 'https://github.com/plugboard/plugboard/blob/main/docs/contracts.md';

export const CONTRACT_RULES = {
  breaking: {
    id: 'CON-01',
    level: 'MUST',
    problem: 'Breaking change',
    sentence: 'What worked with the locked contract still works: inputs may accept more, outputs may contain less.',
    remedy: 'Keep the old form beside the new one. If the change is intended, accept it with `plugboard lock`.',
  },
  instruction: {
    id: 'CON-02',
    level: 'SHOULD',
    problem: 'Instruction-bearing change',
    sentence: 'Text that a model reads changes only after somebody has reviewed it.',
    remedy: 'Read the new text: it tells the model what to do. Accept it with `plugboard lock`.',
  },
  compatible: {
    id: 'CON-03',
    level: 'ADVICE',
    problem: 'Compatible change',
    sentence: 'The lock file describes what the server offers.',
    remedy: 'Accept it with `plugboard lock`.',
  },
  edited: {
    id: 'CON-04',
    level: 'MUST',
    problem: 'Hand-edited lock entry',
    sentence: 'Each hash in the lock file belongs to the definition beside it.',
    remedy: 'Restore the lock file from version control, or write it again with `plugboard lock`.',
  },
  identity: {
    id: 'CON-05',
    level: 'SHOULD',
    problem: 'Another name',
    sentence: 'The server behind an entry of the lock file is the one that was locked.',
    remedy: 'Check that the target is the right one. If the server was renamed, accept its name with `plugboard lock`.',
  },
} as const satisfies Readonly<Record<string, ContractRule>>;

export const ruleOf = ({ kind, code }: Change): ContractRule => {
  // A new tool brings new text for the model: nobody has reviewed it.
  if (code === 'tool-added') return CONTRACT_RULES.instruction;
  return code === 'server-renamed' ? CONTRACT_RULES.identity : CONTRACT_RULES[kind];
};

export const sourceOf = ({ id, sentence }: ContractRule): CheckResult['source'] => ({
  sentence,
  url: `${PAGE}#${id.toLowerCase()}`,
});
