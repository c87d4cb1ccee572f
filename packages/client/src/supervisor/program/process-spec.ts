import type { SandboxSettings } from '@plugboard/contract';

/** What is run: the program and its arguments verbatim, never a shell line. */
export interface ProcessSpec {
  readonly command: string;
  readonly args: readonly string[];
  /** The whole environment of the child; nothing is inherited beside it. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string | undefined;
  /** What the program may see and use; everything that our user may, when left out. */
  readonly sandbox?: SandboxSettings | undefined;
}
