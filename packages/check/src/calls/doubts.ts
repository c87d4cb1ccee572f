import type { LintFinding } from '@plugboard/schema';
import { isObject } from '../connection/json.js';
import type { ListedTool } from './tool.js';
import { dangerousDescription, dangerousWord, executedParameter } from './dangerous-words.js';

/** Lint rules about deceptive texts, and about tools that execute any text. Names are judged below. */
const isGrave = ({ rule }: LintFinding): boolean =>
  (rule.startsWith('SEC-') && rule !== 'SEC-19') || rule === 'LNT-14' || rule === 'LNT-22';

const parametersOf = ({ inputSchema }: ListedTool): readonly string[] => {
  const properties = isObject(inputSchema) ? inputSchema['properties'] : undefined;
  return isObject(properties) ? Object.keys(properties) : [];
};

/** Why a tool that says it only reads is not taken at its word; undefined when nothing speaks against it. */
export const doubtAbout = (tool: ListedTool, lint: readonly LintFinding[] = []): string | undefined => {
  const { annotations, name, definition } = tool;
  const odd = Object.entries(annotations).find(([key, value]) => key.endsWith('Hint') && typeof value !== 'boolean');
  if (odd !== undefined) return `the hint ${odd[0]} is not a boolean (TOL-16)`;
  if (annotations['destructiveHint'] === true) return 'it says that it is read-only and destructive at once (TOL-16)';
  const word = dangerousWord(name);
  if (word !== undefined) return `its name says "${word}", although it has readOnlyHint: true (SEC-19)`;
  const description = dangerousDescription(definition['description']);
  if (description !== undefined) return `its description says "${description}", although it has readOnlyHint: true`;
  const parameter = executedParameter(parametersOf(tool));
  if (parameter !== undefined) return `the value of its parameter "${parameter}" may be executed`;
  const found = lint.find((finding) => finding.tool === name && isGrave(finding));
  return found === undefined ? undefined : `${found.rule}: ${found.message}`;
};
