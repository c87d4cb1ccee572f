import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assertConnectionFlagsFit, sharedMembers, urlMembers } from './connection-flags.js';

const PEM = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n';

describe('flags for every server', () => {
  it('change nothing that is not named', () => {
    expect(sharedMembers({})).toEqual({});
    expect(sharedMembers({ sharing: 'per-client' })).toEqual({ sharing: 'per-client' });
    expect(sharedMembers({ sharing: 'default' })).toEqual({ sharing: null });
  });

  it('change one deadline and keep the others', () => {
    const current = { call: 10, list: 5, tools: { slow: 300 } };
    expect(sharedMembers({ deadline: ['call=120'], toolDeadline: ['a=b=7'] }, current)).toEqual({
      deadlines: { call: 120, list: 5, tools: { slow: 300, 'a=b': 7 } },
    });
    expect(
      sharedMembers({ deadline: ['call=default', 'list=default'], toolDeadline: ['slow=default'] }, current),
    ).toEqual({ deadlines: null });
  });

  it.each([
    [{ sharing: 'all' }],
    [{ deadline: ['call'] }],
    [{ deadline: ['call=0'] }],
    [{ deadline: ['call=86401'] }],
    [{ deadline: ['start=5'] }],
    [{ toolDeadline: ['=5'] }],
  ])('refuse %j', (flags) => {
    expect(() => sharedMembers(flags)).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }));
  });
});

describe('flags for a URL', () => {
  let cwd = '';
  beforeAll(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'plugboard-flags-'));
    await writeFile(join(cwd, 'ca.pem'), PEM);
    await writeFile(join(cwd, 'text.pem'), 'no certificate');
  });
  afterAll(() => rm(cwd, { recursive: true }));

  it('read the file of authorities', async () => {
    expect(await urlMembers({ ca: 'ca.pem', proxy: 'none', profile: 'post-sse' }, cwd)).toEqual({
      ca: PEM,
      proxy: 'none',
      profile: 'post-sse',
    });
    expect(await urlMembers({ ca: 'default', proxy: 'default', profile: 'default' }, cwd)).toEqual({
      ca: null,
      proxy: null,
      profile: null,
    });
    expect(await urlMembers({}, cwd)).toEqual({});
  });

  it.each(['missing.pem', 'text.pem'])('refuse %s', async (ca) => {
    await expect(urlMembers({ ca }, cwd)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  it('mean nothing for a program', () => {
    expect(() => assertConnectionFlagsFit('stdio', { ca: 'x', proxy: 'y' })).toThrow('--ca and --proxy');
    expect(() => assertConnectionFlagsFit('stdio', {})).not.toThrow();
    expect(() => assertConnectionFlagsFit('sse', { ca: 'x' })).not.toThrow();
  });
});
