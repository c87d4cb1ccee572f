import { EXIT, type ExitCode } from '@plugboard/contract';
import { VERSION } from '../../process/version.js';
import type { CommandContext } from '../command/command-context.js';

export const run = async ({ out, process }: CommandContext): Promise<ExitCode> => {
  out.data({ plugboard: VERSION, node: process.nodeVersion, platform: process.platform });
  out.text(out.quiet ? VERSION : `plugboard ${VERSION} (Node ${process.nodeVersion}, ${process.platform})`);
  return EXIT.ok;
};
