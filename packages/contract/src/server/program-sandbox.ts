import { z } from 'zod';
import { variableName } from '../agent/agent.js';
import { processText } from '../field/text.js';

/** References to variables are filled in before the program is started, and the path is judged again then. */
const isAbsolute = (value: string): boolean => /^(?:\/|\{\{[^{}]*\}\}|\$\{[^{}]*\})/u.test(value);

const MAX_PATHS = 64;
const paths = z.array(processText.min(1).max(4096).refine(isAbsolute, 'must be an absolute path')).max(MAX_PATHS);

/** What a program may see and use beside the system and its own files. */
const sandboxSettings = z.strictObject({
  read_only: paths.nullish().describe('files and directories that the program may read'),
  writable: paths.nullish().describe('files and directories that the program may read and change'),
  network: z.boolean().nullish().describe('allow network access; default: false'),
  env: z
    .array(variableName)
    .max(MAX_PATHS)
    .nullish()
    .describe('environment variables of the hub to pass on, in addition to PATH, HOME, LANG, LC_* and TZ'),
});
export type SandboxSettings = z.infer<typeof sandboxSettings>;

export const programSandbox = z
  .union([z.boolean(), sandboxSettings])
  .nullish()
  .describe("run the program in a sandbox (Linux only); true allows nothing but the system's files and the program");
export type ProgramSandbox = z.infer<typeof programSandbox>;

/** The settings of the sandbox of a server; undefined when it runs without one. */
export const sandboxOf = (sandbox: ProgramSandbox): SandboxSettings | undefined => {
  if (sandbox === null || sandbox === undefined || sandbox === false) return undefined;
  return sandbox === true ? {} : sandbox;
};
