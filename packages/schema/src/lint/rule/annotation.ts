import { isJsonObject } from '@plugboard/base';
import type { ToolDefinition } from '@plugboard/contract';
import { perTool, type LintRule } from './lint-rule.js';

const annotationsOf = (tool: ToolDefinition) => (isJsonObject(tool.annotations) ? tool.annotations : {});

const HINTS = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'];

export const annotated: LintRule = {
  id: 'LNT-11',
  name: 'annotated',
  level: 'advice',
  sentence: 'The tool lacks a title or hints about what it does.',
  fix: 'Add a title and annotations: readOnlyHint, destructiveHint, idempotentHint, openWorldHint.',
  inspect: perTool(({ tool }) => {
    const annotations = annotationsOf(tool);
    const hasTitle = [tool.title, annotations['title']].some((title) => typeof title === 'string' && title !== '');
    const hasHints = HINTS.some((hint) => typeof annotations[hint] === 'boolean');
    const lacking = [...(hasTitle ? [] : ['a title']), ...(hasHints ? [] : ['hints'])];
    return lacking.length === 0 ? [] : [{ where: 'annotations', detail: `without ${lacking.join(' and ')}` }];
  }),
};

const CHANGES = new Set(
  (
    'delete remove destroy drop create update insert write edit modify set add put patch send post publish upload ' +
    'move rename kill revoke reset purge truncate deploy install uninstall execute'
  ).split(' '),
);

const firstWord = (name: string): string =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/gu, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/u)
    .find((word) => word !== '') ?? '';

export const honestHints: LintRule = {
  id: 'SEC-19',
  name: 'honest-hints',
  level: 'warning',
  sentence: 'The hints of the tool contradict its name or each other.',
  fix: 'Correct the annotations: a client may skip asking the user because of them.',
  inspect: perTool(({ tool }) => {
    const { readOnlyHint, destructiveHint } = annotationsOf(tool);
    if (readOnlyHint !== true) return [];
    if (destructiveHint === true) {
      return [{ where: 'annotations', detail: 'it is annotated as both read-only and destructive' }];
    }
    const word = firstWord(tool.name);
    return CHANGES.has(word)
      ? [
          {
            where: 'annotations/readOnlyHint',
            detail: `it is annotated as read-only, but its name starts with "${word}…"`,
          },
        ]
      : [];
  }),
};

export const outputDeclared: LintRule = {
  id: 'LNT-15',
  name: 'output-declared',
  level: 'advice',
  sentence: 'No tool of the server declares an output schema.',
  fix: 'Declare "outputSchema" where results are structured.',
  inspect: ({ tools }) =>
    tools.length > 0 && tools.every(({ tool }) => !isJsonObject(tool.outputSchema)) ? [{ where: 'outputSchema' }] : [],
};
