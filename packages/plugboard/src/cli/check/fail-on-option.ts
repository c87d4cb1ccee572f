import { Option } from 'commander';

/** For each command that judges by levels. */
export const failOnOption = (): Option =>
  new Option('--fail-on <level>', 'the lowest level that fails the run (default: must)').choices([
    'must',
    'should',
    'advice',
    'never',
  ]);
