import type { LintRule } from './rule/lint-rule.js';
import { annotated, honestHints, outputDeclared } from './rule/annotation.js';
import { deprecatedFeatures, instructionLength, serverBudget, toolBudget } from './rule/budget.js';
import { parameterDescription, toolDescription, unitNamed } from './rule/description.js';
import { concealment, crossTool, harvesting, override } from './rule/directive.js';
import { encodedText } from './rule/encoded.js';
import { hiddenMarkup, hiddenUnicode } from './rule/hidden-text.js';
import { homoglyphs } from './rule/imitation.js';
import { distinctDescriptions, distinctNames, nameStyle } from './rule/name.js';
import { enumDeclared, overloaded, parameterCount, requiredNamed } from './rule/parameter.js';
import {
  consistentValues,
  dialectDeclared,
  itemsDeclared,
  nestingDepth,
  safePatterns,
  soundReferences,
  typeDeclared,
} from './rule/schema-shape.js';
import { secrets } from './rule/secret.js';

/** Every rule: poisoning first, then hygiene in the order of its numbers. */
export const LINT_RULES: readonly LintRule[] = [
  hiddenUnicode,
  hiddenMarkup,
  homoglyphs,
  encodedText,
  concealment,
  override,
  harvesting,
  secrets,
  honestHints,
  toolDescription,
  parameterDescription,
  requiredNamed,
  enumDeclared,
  nestingDepth,
  parameterCount,
  itemsDeclared,
  typeDeclared,
  consistentValues,
  soundReferences,
  annotated,
  nameStyle,
  distinctNames,
  distinctDescriptions,
  overloaded,
  outputDeclared,
  toolBudget,
  serverBudget,
  instructionLength,
  deprecatedFeatures,
  safePatterns,
  dialectDeclared,
  unitNamed,
  crossTool,
];
