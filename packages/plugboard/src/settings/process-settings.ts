import { z } from 'zod';

/** The member `processes` of plugboard.json. */
export const processFile = z
  .strictObject({
    max: z
      .number()
      .int()
      .min(1)
      .max(100_000)
      .optional()
      .describe('the maximum number of server processes; default: derived from memory and open files'),
    wait: z
      .number()
      .positive()
      .max(86_400)
      .optional()
      .describe('how long a start may wait for a free place, in seconds; default: 300'),
    sandbox: z
      .enum(['optional', 'required'])
      .optional()
      .describe(
        'required: every program runs in a sandbox, by default in the strictest one. optional (default): only programs that declare one',
      ),
  })
  .describe('the processes of stdio servers');
export type ProcessFile = z.infer<typeof processFile>;

export interface ProcessSettings {
  /** Undefined: as many as this machine has room for. */
  readonly max: number | undefined;
  readonly waitMs: number;
  /** Must every program run in a sandbox? */
  readonly sandbox: 'optional' | 'required';
}

export const DEFAULT_PROCESSES: ProcessSettings = { max: undefined, waitMs: 300_000, sandbox: 'optional' };

const MS_PER_SECOND = 1000;

export const processSettings = (file: ProcessFile = {}, max?: number): ProcessSettings => ({
  max: max ?? file.max,
  waitMs: file.wait === undefined ? DEFAULT_PROCESSES.waitMs : Math.round(file.wait * MS_PER_SECOND),
  sandbox: file.sandbox ?? DEFAULT_PROCESSES.sandbox,
});
