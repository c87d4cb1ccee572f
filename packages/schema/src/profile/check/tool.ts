import { isJsonObject } from '@plugboard/base';
import type { ToolDefinition } from '@plugboard/contract';
import type { Sighting } from '../definition/finding.js';
import type { RuleFor } from '../definition/rule.js';

/** A tool as it will be sent: with whatever the host puts before its name. */
export interface ToolSubject {
  readonly tool: ToolDefinition;
  readonly fullName: string;
}

export const toolName = (rule: RuleFor<'tool-name'>, { tool, fullName }: ToolSubject): readonly Sighting[] => [
  ...(new RegExp(rule.pattern, 'u').test(tool.name)
    ? []
    : [
        {
          pointer: '',
          message: `The name "${tool.name.slice(0, 80)}" does not match ${rule.pattern}.`,
          fix: 'Rename the tool.',
        },
      ]),
  ...(fullName.length <= rule.max
    ? []
    : [
        {
          pointer: '',
          message: `The name has ${fullName.length} characters${fullName === tool.name ? '' : ' with its prefix'}; ${rule.max} are allowed.`,
          fix: 'Shorten the name of the tool or of the server.',
        },
      ]),
];

export const description = (rule: RuleFor<'description'>, { tool }: ToolSubject): readonly Sighting[] => {
  const text = typeof tool.description === 'string' ? tool.description : undefined;
  if (text !== undefined && rule.min !== undefined && text.length < rule.min) {
    return [{ pointer: '', message: 'The description is empty.', fix: 'Describe the tool, or remove the member.' }];
  }
  if (text !== undefined && rule.max !== undefined && text.length > rule.max) {
    return [
      {
        pointer: '',
        message: `The description has ${text.length} characters; ${rule.max} are allowed.`,
        fix: 'Shorten it, and move details into the descriptions of the parameters.',
      },
    ];
  }
  return [];
};

const annotationsOf = (tool: ToolDefinition): Readonly<Record<string, unknown>> =>
  isJsonObject(tool.annotations) ? tool.annotations : {};

const isFilled = (value: unknown): boolean => typeof value === 'string' && value.trim() !== '';

export const title = (_rule: RuleFor<'title'>, { tool }: ToolSubject): readonly Sighting[] =>
  isFilled(tool.title) || isFilled(annotationsOf(tool)['title'])
    ? []
    : [{ pointer: '', message: 'The tool has no title.', fix: 'Add a title for people.' }];

export const hints = (_rule: RuleFor<'hints'>, { tool }: ToolSubject): readonly Sighting[] => {
  const annotations = annotationsOf(tool);
  return typeof annotations['readOnlyHint'] === 'boolean' || typeof annotations['destructiveHint'] === 'boolean'
    ? []
    : [
        {
          pointer: '',
          message: 'The tool has neither readOnlyHint nor destructiveHint.',
          fix: 'Add the annotation readOnlyHint or destructiveHint.',
        },
      ];
};
