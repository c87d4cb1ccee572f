import { describe, expect, test } from 'vitest';
import { checkTarget } from '../target/target.js';
import { checkLine } from './check-line.js';

const TARGET = checkTarget.parse({ command: ['node', 'server.js'], env: { KEY: 'secret' }, tier: 'smoke' });
const AGAIN = { era: 'legacy', seed: 7, from: undefined } as const;

describe('the command that checks again', () => {
  test('names the check, the era, the seed and the program, and no value of a variable', () => {
    expect(checkLine(TARGET, { ...AGAIN, id: 'LIF-01' })).toBe(
      'plugboard check --only LIF-01 --era legacy --tier smoke --seed 7 --env KEY="$KEY" -- node server.js',
    );
  });

  test('is a whole run for what no single check shows', () => {
    expect(checkLine(TARGET, { ...AGAIN, id: undefined, era: 'both' })).toBe(
      'plugboard check --tier smoke --seed 7 --env KEY="$KEY" -- node server.js',
    );
  });

  test('takes the file that the operator gave', () => {
    expect(checkLine(TARGET, { ...AGAIN, id: 'LIF-01', from: 'check.yaml' })).toBe(
      'plugboard check --only LIF-01 --era legacy --tier smoke --seed 7 check.yaml',
    );
  });
});
