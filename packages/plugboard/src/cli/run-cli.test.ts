import { EXIT, PlugboardError } from '@plugboard/contract';
import { describe, expect, it } from 'vitest';
import { fakeProcess } from '../test-support/fake-process.js';
import { runFake } from '../test-support/run-fake.js';
import { VERSION } from '../process/version.js';
import { runCli } from './run-cli.js';

const failing = (thrown: unknown) => ({
  openHub: async () => {
    throw thrown;
  },
});

describe('the command line', () => {
  it('prints help without arguments, and the version', async () => {
    const help = await runFake([]);
    expect(help.code).toBe(0);
    expect(help.stdout).toContain('Usage: plugboard');
    expect((await runFake(['--version'])).stdout).toBe(`${VERSION}\n`);
    expect((await runFake(['version', '--json'])).json()).toEqual({
      plugboard: VERSION,
      node: '20.19.0',
      platform: 'linux',
    });
    expect((await runFake(['version', '-q'])).stdout).toBe(`${VERSION}\n`);
    expect((await runFake(['help', 'call'])).stdout).toContain('Usage: plugboard call');
  });

  it.each([
    [['lst'], "Unknown command 'lst'.", 'Did you mean one of list, ls?'],
    [['cal', 'x'], "Unknown command 'cal'.", 'Did you mean call?'],
    [['list', '--jsn'], "Unknown option '--jsn'.", 'Did you mean --json?'],
    [['call', 'x'], 'The name of the tool is missing.', 'plugboard call --toolset <toolset> <tool>'],
    [['list', 'much', 'more'], 'Too many arguments', 'plugboard list --help'],
    [['serve', '--port', '99999'], 'It must be a port from 0 to 65535.', 'plugboard serve --help'],
  ])('refuses %j with exit code 2 and a way on', async (argv, message, hint) => {
    const { code, stdout, stderr } = await runFake(argv);
    expect(stderr).toContain(message);
    expect(stderr).toContain(hint);
    expect(stdout).toBe('');
    expect(code).toBe(EXIT.usage);
  });

  it('tells errors as JSON on stdout with --json, wherever it stands, and nothing on stderr', async () => {
    for (const argv of [
      ['--json', 'lst'],
      ['show', 'nothing', '--json'],
    ]) {
      const { stderr, json } = await runFake(argv);
      expect(json()).toMatchObject({
        error: { code: expect.any(String) as string, message: expect.any(String) as string },
      });
      expect(stderr).toBe('');
    }
  });

  it('takes the exit code from the table of errors', async () => {
    const process = fakeProcess(['list']);
    expect(await runCli(process, failing(new PlugboardError('HUB_UNREACHABLE', 'Away.', { hint: 'Come back.' })))).toBe(
      4,
    );
    expect(process.written.stderr).toBe('error    Away. (HUB_UNREACHABLE)\ntry      Come back.\n');
    expect(await runCli(fakeProcess(['list']), failing(new PlugboardError('UNAUTHENTICATED', 'No.')))).toBe(5);
  });

  it('keeps the text of an unexpected error to itself, unless asked', async () => {
    const process = fakeProcess(['list']);
    expect(await runCli(process, failing(new Error('secret detail')))).toBe(1);
    expect(process.written.stderr).not.toContain('secret detail');
    const debugging = fakeProcess(['list'], { env: { PLUGBOARD_DEBUG: '1' } });
    await runCli(debugging, failing(new Error('secret detail')));
    expect(debugging.written.stderr).toContain('secret detail');
  });

  it('exits with 130 and without a word when it is interrupted', async () => {
    const controller = new AbortController();
    const process = fakeProcess(['list'], { signal: controller.signal });
    const openHub = async (): Promise<never> => {
      controller.abort();
      throw controller.signal.reason as Error;
    };
    expect(await runCli(process, { openHub })).toBe(130);
    expect(process.written).toEqual({ stdout: '', stderr: '' });
  });

  it('colours on a terminal only, as NO_COLOR and FORCE_COLOR want', async () => {
    const coloured = async (options: object): Promise<boolean> =>
      (await runFake(['show', 'x'], {}, options)).stderr.includes('\u001B[');
    expect(await coloured({})).toBe(false);
    expect(await coloured({ columns: 80 })).toBe(true);
    expect(await coloured({ columns: 80, env: { NO_COLOR: '1' } })).toBe(false);
    expect(await coloured({ columns: 80, env: { TERM: 'dumb' } })).toBe(false);
    expect(await coloured({ env: { FORCE_COLOR: '1' } })).toBe(true);
    expect(await coloured({ columns: 80, env: { FORCE_COLOR: '0' } })).toBe(false);
  });

  it('takes the common options before and after the command', async () => {
    expect((await runFake(['--quiet', 'version'])).stdout).toBe((await runFake(['version', '--quiet'])).stdout);
  });
});
