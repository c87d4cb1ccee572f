import { describe, expect, it } from 'vitest';
import type { OpenContext } from '../../serve/command-line/server-program.js';
import { documentsProgram, documentsSettings } from './documents-program.js';

const context = (values: OpenContext['values']): OpenContext => ({
  values,
  env: {},
  cwd: import.meta.dirname,
  log: () => undefined,
});

describe('the flags of the documents server', () => {
  it('set limits and where URLs may lead', () => {
    expect(documentsSettings({})).toMatchObject({ timeoutMs: 60_000, urlPolicy: { mode: 'public', hosts: [] } });
    const values = {
      'max-size': '3',
      'max-pages': '7',
      timeout: '5',
      urls: 'none',
      'allow-url-host': ['Files.Example'],
    };
    expect(documentsSettings(values)).toMatchObject({
      limits: { inputBytes: 3 * 1024 * 1024, pages: 7 },
      timeoutMs: 5000,
      urlPolicy: { mode: 'none', hosts: ['files.example'] },
    });
  });

  it.each([{ 'max-size': '0' }, { 'max-size': 'x' }, { timeout: '601' }, { 'max-pages': '-1' }, { urls: 'maybe' }])(
    '%j is refused',
    (values) => expect(() => documentsSettings(values)).toThrow(expect.objectContaining({ name: 'UsageError' })),
  );

  it('name directories that exist', async () => {
    await expect(documentsProgram.open(context({ 'allow-dir': ['absent'] }))).rejects.toMatchObject({
      name: 'UsageError',
    });
    const parts = await documentsProgram.open(context({}));
    expect(parts.health?.()).toEqual({ converters: 0, documents: 0 });
    expect(parts.makeServer({ era: 'modern' }).isConnected()).toBe(false);
    await parts.close?.();
  });
});
