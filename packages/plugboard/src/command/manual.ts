import { EXIT, type ExitCode } from '@plugboard/contract';
import { manual } from '../program/manual.js';
import { configJsonSchema } from '../settings/config-json-schema.js';
import type { CommandContext } from './command-context.js';

export interface ManualInput {
  readonly configSchema: boolean;
}

export const run = async ({ out }: CommandContext, { configSchema }: ManualInput): Promise<ExitCode> => {
  if (configSchema) {
    out.data(configJsonSchema());
    out.text(JSON.stringify(configJsonSchema(), null, 2));
    return EXIT.ok;
  }
  const text = manual();
  out.data({ markdown: text });
  out.text(text);
  return EXIT.ok;
};
