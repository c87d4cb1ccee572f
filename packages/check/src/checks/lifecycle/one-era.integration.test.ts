import { MUTANTS, mutantServer, referenceServer } from '@plugboard/testing';
import { describe, expect, test } from 'vitest';
import { runCell } from '../../test-support/cell.js';
import { CHECKS } from '../registry.js';

/** What these want of a server depends on whether it speaks the legacy era, too. */
const ABOUT_ERAS = new Set(['LIF-17', 'LIF-20', 'LIF-24', 'HTP-40']);
const checks = CHECKS.filter(({ id }) => ABOUT_ERAS.has(id));
const TRANSPORTS = ['stdio', 'streamable-http'] as const;

describe('a run about the modern era only', () => {
  test.each(TRANSPORTS)('does not take a server of both eras for a modern one: %s', async (transport) => {
    const { results } = await runCell(referenceServer('both'), transport, { checks, era: 'modern' });
    expect(results.filter(({ verdict }) => verdict !== 'pass').map(({ id, verdict }) => `${id} ${verdict}`)).toEqual(
      transport === 'stdio' ? ['LIF-20 not-applicable', 'HTP-40 not-applicable'] : ['LIF-20 not-applicable'],
    );
  });

  test.each(TRANSPORTS)('judges a modern server as before: %s', async (transport) => {
    const { results } = await runCell(referenceServer('modern'), transport, { checks, era: 'modern' });
    expect(results.find(({ id }) => id === 'LIF-20')?.verdict).toBe('pass');
    const silent = MUTANTS.find(({ kills }) => kills === 'LIF-20');
    if (silent === undefined) throw new Error('no mutant breaks LIF-20');
    const broken = await runCell(mutantServer(silent), transport, { checks, era: 'modern' });
    expect(broken.results.find(({ id }) => id === 'LIF-20')?.verdict).toBe('warn');
  });
});
