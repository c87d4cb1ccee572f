import { describe, expect, it } from 'vitest';
import { importWords } from './mcp-json/import.js';
import { createOutput } from '../terminal/output.js';
import { styleFor } from '../terminal/style.js';
import { textWidth } from '../terminal/text-width.js';
import { wrapLines } from '../terminal/wrap-lines.js';
import { fakeProcess } from '../test-support/fake-process.js';
import { runFake } from '../test-support/run-fake.js';

const COLUMNS = 80;

const tooWide = (text: string): readonly string[] => text.split('\n').filter((line) => textWidth(line) > COLUMNS);

describe('in a terminal of 80 columns', () => {
  it.each(['add', 'call', 'lint', 'check', 'export', 'restart', 'login', 'migrate', 'toolset add'])(
    'the help of %s is broken at words',
    async (command) => {
      const { stdout } = await runFake([...command.split(' '), '--help'], {}, { columns: COLUMNS });
      // Commands are left whole, to be copied.
      expect(tooWide(stdout).filter((line) => !/^ {2}(?:plugboard|echo) /u.test(line))).toEqual([]);
    },
  );

  it('a paragraph is filled, whatever lines it was written in', async () => {
    const { stdout } = await runFake(['add', '--help'], {}, { columns: COLUMNS });
    expect(stdout).toContain(
      'A server that cannot be reached, or that needs variables without a value, is\nstill registered, and the exit code is 0: sync it later.\n',
    );
  });

  it('what becomes of an imported entry is broken at words, under its beginning', async () => {
    const entry = {
      name: 'gone',
      outcome: 'refused' as const,
      why: 'for reasons that are told at length. '.repeat(5).trim(),
    };
    const words = wrapLines(importWords({ path: 'a.json', entries: [entry] }, false, styleFor(false)), COLUMNS);
    expect(tooWide(words)).toEqual([]);
    expect(words.split('\n')[2]).toMatch(/^ {2}\S/u);
  });

  it('a remark is broken at words, and a command in it stays whole', () => {
    const fake = fakeProcess([], { columns: COLUMNS });
    const out = createOutput(fake, { json: false, quiet: false });
    const command = `plugboard export --for-client ${'x'.repeat(COLUMNS)}`;
    out.note(
      `! This is the first key: from now on the hub rejects MCP clients and scripts without a key.\n  ${command}`,
    );
    expect(fake.written.stderr.split('\n').slice(1)).toEqual(['without a key.', `  ${command}`, '']);
  });

  it('a group of commands shows its commands once, and the options of all after its own', async () => {
    const { stdout } = await runFake(['toolset', '--help'], {}, { columns: COLUMNS });
    expect(stdout).not.toContain('The hub:');
    expect(stdout).not.toMatch(/\nOptions:\n/u);
    expect(stdout).toMatch(/help \[command\]/u);
  });
});

describe('an option that is not known', () => {
  it.each([
    [['tools', 'files', '--strict'], 'plugboard tools --help'],
    [['agent', 'set', 'bot', '--attach', 'h'], 'plugboard agent set --help'],
    [['--nonsense'], 'plugboard --help'],
  ])('%j leads to the help of its command', async (argv, help) => {
    const { code, stderr } = await runFake(argv);
    expect(code).toBe(2);
    expect(stderr).toContain(help);
  });
});
