import { type ErrorWords, WordedError } from '../serve/worded-error.js';
import type { StopCode } from './isolate/isolate-job.js';

/** Everything that a caller can be told, by its code. */
export const SANDBOX_ERRORS = {
  CODE_THREW: {
    sentence: 'The code threw an error.',
    hint: 'Read the error and its position, correct the code and run it again.',
  },
  CPU_LIMIT: {
    sentence: 'The code exceeded its CPU time limit.',
    hint: 'Look for an endless loop, do less in one run, or raise cpu_ms as far as the server allows.',
  },
  TIME_LIMIT: {
    sentence: 'The run exceeded its time limit.',
    hint: 'Shorten the waits, avoid single operations on huge values, or raise time_ms as far as the server allows.',
  },
  MEMORY_LIMIT: {
    sentence: 'The code exceeded its memory limit.',
    hint: 'Work on smaller pieces, or raise memory_mb as far as the server allows.',
  },
  STACK_LIMIT: {
    sentence: 'The code nested calls deeper than the stack allows.',
    hint: 'Look for endless recursion, or use a loop.',
  },
  OUTPUT_LIMIT: {
    sentence: 'The console or the result is larger than what a run may return.',
    hint: 'Print and return less, or write the data to a file with files.write().',
  },
  NEVER_SETTLES: {
    sentence: 'The code waits for something that never happens in the sandbox.',
    hint: 'Resolve every promise that you await; the sandbox receives no external events.',
  },
  CANCELLED: { sentence: 'The run was cancelled.', hint: 'Run the code again if it is still needed.' },
  ENGINE_FAULT: {
    sentence: 'The isolate crashed and was discarded.',
    hint: 'Change the code; the session is as it was before the run.',
  },
  BUSY: { sentence: 'Too many runs are in progress.', hint: 'Try again in a moment.' },
  SESSION_NOT_FOUND: {
    sentence: 'The session does not exist: it was closed, it expired, or it belongs to another client.',
    hint: 'Create one with create_session.',
  },
  SESSION_BUSY: { sentence: 'The session is running code already.', hint: 'Wait for that run to end, or cancel it.' },
  SESSION_LIMIT: {
    sentence: 'The maximum number of sessions is reached.',
    hint: 'Close one with close_session, or wait until one expires.',
  },
  STATE_LIMIT: {
    sentence: 'All sessions together keep more memory than the server allows, so the state of this run was not kept.',
    hint: 'Close sessions that are not needed; this session is as it was before the run.',
  },
  FILE_NOT_FOUND: {
    sentence: 'The file does not exist: it was replaced, it expired, or it belongs to another client.',
    hint: 'Use a handle from put_file, list_files or the result of a run.',
  },
  FILE_INVALID: { sentence: 'The file cannot be stored.', hint: 'Correct its name or its content.' },
  FILE_LIMIT: {
    sentence: 'The files are larger or more than the server allows.',
    hint: 'Store less, or close a session that holds files.',
  },
  ARGUMENT_INVALID: { sentence: 'An argument is out of range.', hint: 'Correct it and call again.' },
} as const satisfies ErrorWords<string>;

export type SandboxErrorCode = keyof typeof SANDBOX_ERRORS;

// Every way a run can be stopped has words.
type Unworded = Exclude<StopCode, SandboxErrorCode>;
const everyStopHasWords: [Unworded] extends [never] ? true : never = true;
void everyStopHasWords;

export class SandboxError extends WordedError<SandboxErrorCode> {
  override readonly name = 'SandboxError';

  constructor(code: SandboxErrorCode, sentence?: string) {
    super(SANDBOX_ERRORS, code, sentence);
  }
}
