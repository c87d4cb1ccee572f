import { EXIT } from '@plugboard/contract';

/** What each exit code means, in the words of the help and the manual. */
export const EXIT_MEANINGS: readonly (readonly [code: number, meaning: string])[] = [
  [EXIT.ok, 'success'],
  [EXIT.failed, 'the check or the call failed'],
  [EXIT.usage, 'the command line, the configuration or an argument is wrong'],
  [EXIT.notExamined, 'the target could not be checked'],
  [EXIT.unreachable, 'the hub or the server cannot be reached'],
  [EXIT.denied, 'access was denied'],
  [EXIT.incomplete, 'too many checks could not be verified (check)'],
  [130, 'interrupted'],
];

export const exitCodeHelp = `
Exit codes:
${EXIT_MEANINGS.map(([code, meaning]) => `  ${String(code).padStart(3)}  ${meaning}`).join('\n')}`;
