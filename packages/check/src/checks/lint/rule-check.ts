import type { CheckLevel } from '@plugboard/contract';
import { LINT_RULES, type LintRule } from '@plugboard/schema';
import { ALL_TRANSPORTS, BOTH_ERAS, defineCheck, type Check } from '../../model/check.js';
import type { Family } from '../../model/family.js';
import { judgedList } from '../instrument/judge.js';
import { describeLint, lintOf } from './definitions.js';

const levelOf = (rules: readonly LintRule[]): CheckLevel =>
  rules.every(({ level }) => level === 'advice') ? 'ADVICE' : 'SHOULD';

export interface RuleCheckOptions {
  readonly id: string;
  readonly family: Family;
  /** What holds when no rule of this id speaks. */
  readonly title: string;
}

/** A check that asks the lint rules of one id. */
export const ruleCheck = ({ id, family, title }: RuleCheckOptions): Check => {
  const rules = LINT_RULES.filter((rule) => rule.id === id);
  return defineCheck({
    id,
    family,
    title,
    eras: BOTH_ERAS,
    transports: ALL_TRANSPORTS,
    needs: 'tools',
    level: levelOf(rules),
    tier: 'standard',
    source: {
      // The words are ours; the page is where the specification describes what they are about.
      sentence: `Rule of the schema doctor: ${rules.map(({ sentence }) => sentence).join(' ')}`,
      url: 'https://modelcontextprotocol.io/specification/2026-07-28/server/tools#tool',
    },
    remedy: [...new Set(rules.map(({ fix }) => fix))].join(' '),
    async run(probe) {
      const found = (await lintOf(probe)).filter(({ rule }) => rule === id).map(describeLint);
      return await judgedList(probe, 'tools/list', found, 'a definition that follows the rule');
    },
  });
};
