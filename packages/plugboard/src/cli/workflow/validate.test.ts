import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runFake } from '../../test-support/run-fake.js';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'plugboard-validate-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

describe('plugboard workflow validate', () => {
  it('keeps control sequences of the file from the terminal, colours as well', async () => {
    const file = join(directory, 'flow.yaml');
    await writeFile(
      file,
      String.raw`name: "evil\u001b[31m\u001b[2J"
servers:
  "s\u001b[32m": {command: ["true"]}
steps:
  - name: step
    server: "s\u001b[32m"
    tool: t
`,
    );
    const { code, stdout } = await runFake(['workflow', 'validate', file], {}, { columns: 80 });
    expect(code).toBe(0);
    expect(stdout).toContain(String.raw`"evil\u{001B}[31m\u{001B}[2J"`);
    expect(stdout).toContain(String.raw`servers s\u{001B}[32m.`);
    expect(stdout).not.toContain('\u001B');
  });
});
