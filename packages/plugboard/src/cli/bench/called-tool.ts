import type { LoadPlan } from '@plugboard/contract';
import { invalidArgument } from '../command/invalid-argument.js';

/** `name`, or `name={"json":"arguments"}`. */
export const calledTool = (flag: string, text: string): NonNullable<LoadPlan['call']> => {
  const at = text.indexOf('=');
  if (at === -1) return { tool: text };
  const tool = text.slice(0, at);
  try {
    return { tool, arguments: JSON.parse(text.slice(at + 1)) as Record<string, unknown> };
  } catch {
    throw invalidArgument(`The arguments for ${tool} are not JSON.`, `${flag} '${tool}={"key":"value"}'`);
  }
};
