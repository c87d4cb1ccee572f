import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { configJsonSchema } from '../../settings/config-file.js';
import { runFake } from '../../test-support/run-fake.js';
import { buildProgram } from '../build-program.js';
import { manual } from './manual-text.js';

const cliManual = (): string => manual((screen) => buildProgram(screen, async () => {}));

const docs = resolve(import.meta.dirname, '../../../../../docs');

// Run vitest with -u to write them again.
describe('generated documents', () => {
  it('docs/cli.md is what the program defines', async () => {
    await expect(cliManual()).toMatchFileSnapshot(resolve(docs, 'cli.md'));
  });

  it('docs/plugboard.schema.json is what the program accepts', async () => {
    const text = `${JSON.stringify(configJsonSchema(), null, 2)}\n`;
    await expect(text).toMatchFileSnapshot(resolve(docs, 'plugboard.schema.json'));
  });

  it('the program prints both', async () => {
    expect((await runFake(['manual'])).stdout).toBe(cliManual());
    expect(JSON.parse((await runFake(['manual', '--config-schema'])).stdout)).toEqual(configJsonSchema());
  });

  it('the manual has a chapter for every command that help shows', async () => {
    const { stdout } = await runFake(['--help']);
    for (const name of [
      'serve',
      'add',
      'list',
      'show',
      'set',
      'login',
      'logout',
      'remove',
      'sync',
      'import',
      'export',
      'tools',
      'call',
      'read',
      'prompt',
      'lint',
      'toolset',
      'approve',
      'doctor',
      'completion',
      'version',
    ]) {
      expect(stdout).toContain(`  ${name}`);
      expect(cliManual()).toContain(`### ${name}\n`);
    }
  });
});
