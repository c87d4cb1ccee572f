import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { configFile } from './config-file.js';
import { DEFAULTS } from './settings.js';

const read = (path: string): Promise<string> => readFile(new URL(path, import.meta.url), 'utf8');

const variablesIn = (text: string): readonly string[] => [
  ...new Set(text.match(/\b(?:PLUGBOARD|EXTERNAL_MCP)_[A-Z_]*[A-Z]/gu)),
];

describe('docs/configuration.md', () => {
  it('names every member of the file', async () => {
    const manual = await read('../../../../docs/configuration.md');
    const members = Object.keys(configFile.shape).filter((name) => name !== '$schema' && name !== 'deadlines');
    expect(members.filter((name) => !manual.includes(`| \`${name}\` |`))).toEqual([]);
    for (const step of ['connect', 'list', 'call']) expect(manual).toContain(`\`deadlines.${step}\``);
  });

  it('names every variable that is read, and none that is not', async () => {
    const manual = variablesIn(await read('../../../../docs/configuration.md'));
    const readers = await Promise.all(
      ['./environment-settings.ts', '../hub-api/connect/open-hub.ts', '../cli/run-cli.ts'].map(read),
    );
    expect(manual.toSorted()).toEqual(variablesIn(readers.join('\n')).toSorted());
  });

  it('tells the defaults as they are', async () => {
    const manual = await read('../../../../docs/configuration.md');
    const row = (name: string): string => manual.split('\n').find((line) => line.startsWith(`| \`${name}\``)) ?? '';
    expect(row('host')).toContain(DEFAULTS.host);
    expect(row('port')).toContain(String(DEFAULTS.port));
    expect(row('maxRetries')).toContain(`| ${DEFAULTS.maxRetries} |`);
    expect(row('deadlines.call')).toContain(`| ${DEFAULTS.deadlines.callMs / 1000} s |`);
    expect(row('deadlines.connect')).toContain(`| ${DEFAULTS.deadlines.connectMs / 1000} s |`);
  });
});
