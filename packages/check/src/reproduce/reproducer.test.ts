import { describe, expect, test } from 'vitest';
import type { Recipe } from '../session/exchange.js';
import type { Place } from '../session/link.js';
import { reproducer } from './reproducer.js';

const place = (program: object = {}, variables: readonly string[] = []): Place => ({
  transport: 'stdio',
  launch: () => {
    throw new Error('Nothing is started here.');
  },
  program: { command: 'node', args: ['my server.js'], env: { KEY: 'value' }, ...program },
  variables,
});

const lineOf = (recipe: Recipe, where: Place = place()): string | undefined =>
  reproducer({ sent: '', received: '', connection: 1, recipe }, where);

describe('the line for a program', () => {
  test('writes the messages and leaves time for an answer', () => {
    expect(lineOf({ kind: 'stdio', lines: ['{"a":1}', '{}'] })).toBe(
      `{ printf '%s\\n' '{"a":1}' '{}'; sleep 3; } | node 'my server.js'`,
    );
  });

  test('starts it in its folder, with its variables by name', () => {
    const line = lineOf({ kind: 'stdio', lines: ['{}'] }, place({ cwd: '/a folder' }, ['KEY']));
    expect(line).toContain(`| (cd '/a folder' && KEY="$KEY" node 'my server.js')`);
    expect(line).not.toContain('value');
  });

  test('says how the process ended, when that is the point', () => {
    expect(lineOf({ kind: 'stdio', lines: ['{}'], ends: true })).toMatch(/; echo "exit code \$\?"$/u);
    expect(lineOf({ kind: 'stdio', lines: ['{}'], ends: false })).not.toContain('exit code');
  });

  test('generates what repeats itself and is too long for a shell', () => {
    const long = `{"text":"${'a'.repeat(70_000)}"}`;
    const line = lineOf({ kind: 'stdio', lines: ['{}', long] });
    expect(line).toContain(`head -c 70000 /dev/zero | tr '\\0' a`);
    expect(line?.length).toBeLessThan(300);
  });

  test('is missing for a long text without a repetition', () => {
    const long = Array.from({ length: 30_000 }, (_, index) => index).join(',');
    expect(lineOf({ kind: 'stdio', lines: [long] })).toBeUndefined();
  });
});
