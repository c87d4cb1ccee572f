import type { ToolDefinition } from '@plugboard/contract';
import { flag, members, oneOf, text } from './repair.js';
import { LISTED_MEMBERS } from './shared-members.js';

/** The members of a tool beside its schemas, in the form that clients accept. */
export const TOOL_MEMBERS = {
  ...LISTED_MEMBERS,
  annotations: members({
    title: text,
    readOnlyHint: flag,
    destructiveHint: flag,
    idempotentHint: flag,
    openWorldHint: flag,
  }),
  execution: members({ taskSupport: oneOf('required', 'optional', 'forbidden') }),
} as const;

/** Members that make clients reject the whole list. Many servers write null for an absent member. */
export const unfitMembers = (definition: ToolDefinition): readonly string[] =>
  Object.entries(TOOL_MEMBERS)
    .filter(([name, repair]) => {
      const value = definition[name];
      return value !== undefined && value !== null && repair(value) !== value;
    })
    .map(([name]) => name);
