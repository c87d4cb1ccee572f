import { EXIT, type ExitCode } from '@plugboard/contract';
import { manual } from './manual-text.js';
import { configJsonSchema } from '../../settings/config-file.js';
import type { CommandContext } from '../command/command-context.js';
import type { DescribeProgram } from '../command/define.js';

export interface ManualInput {
  readonly configSchema: boolean;
  readonly describeProgram: DescribeProgram;
}

export const run = async (
  { out }: CommandContext,
  { configSchema, describeProgram }: ManualInput,
): Promise<ExitCode> => {
  if (configSchema) {
    out.data(configJsonSchema());
    out.text(JSON.stringify(configJsonSchema(), null, 2));
    return EXIT.ok;
  }
  const text = manual(describeProgram);
  out.data({ markdown: text });
  out.text(text);
  return EXIT.ok;
};
