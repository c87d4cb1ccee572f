import { describe, expect, it } from 'vitest';
import { helpText } from '../run-server.js';
import { readSettings } from './read-settings.js';
import { testProgram } from '../test-support/test-program.js';

const read = (argv: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  readSettings(testProgram(), { argv, env });

describe('the command line', () => {
  it('serves stdio unless told otherwise', () => {
    expect(read([])).toMatchObject({ kind: 'stdio' });
    expect(read(['--transport', 'stdio', '--colour', 'red', '--colour=blue'])).toMatchObject({
      kind: 'stdio',
      values: { colour: ['red', 'blue'] },
    });
  });

  it('takes its address from the defaults, then the environment, then the flags', () => {
    const env = { MCP_HOST: '127.0.0.2', MCP_PORT: '4000' };
    expect(read(['--transport', 'http'])).toMatchObject({ address: { host: '127.0.0.1', port: 3999 } });
    expect(read(['--transport', 'http'], env)).toMatchObject({ address: { host: '127.0.0.2', port: 4000 } });
    expect(read(['--transport', 'http', '--host', '::1', '--port', '5000'], env)).toMatchObject({
      address: { host: '::1', port: 5000 },
    });
    expect(read(['--transport', 'http'], { MCP_HOST: '', MCP_PORT: '' })).toMatchObject({ address: { port: 3999 } });
    expect(read(['--transport', 'http', '--port', '0'])).toMatchObject({ address: { port: 0 } });
  });

  it.each(['1', '1023', '65536', '99999', '-5', '3.5', '0x1000', 'abc', ' 3020', ''])('refuses the port %j', (port) => {
    expect(() => read(['--transport', 'http', `--port=${port}`])).toThrow(
      expect.objectContaining({ name: 'UsageError' }),
    );
  });

  it.each([['1024'], ['65535']])('accepts the port %s', (port) => {
    expect(read(['--transport', 'http', '--port', port])).toMatchObject({ address: { port: Number(port) } });
  });

  it.each([
    [['--transport', 'smoke'], {}],
    [['--unknown'], {}],
    [['stray'], {}],
    [['--port'], {}],
    [['--transport', 'http', '--host', 'a b'], {}],
    [['--transport', 'http'], { MCP_PORT: '0' }],
    [['--transport', 'http'], { MCP_PORT: 'many' }],
  ])('refuses %j with %j', (argv, env) => {
    expect(() => read(argv, env)).toThrow(expect.objectContaining({ name: 'UsageError' }));
  });

  it('asks for help and version before anything else', () => {
    expect(read(['--help', '--transport', 'smoke'])).toEqual({ kind: 'help' });
    expect(read(['-h'])).toEqual({ kind: 'help' });
    expect(read(['--version'])).toEqual({ kind: 'version' });
  });

  it('names every flag in its help', () => {
    const help = helpText(testProgram());
    for (const flag of ['--transport', '--host', '--port', '--colour <name>', '--loud', '--allow-origin', '3999']) {
      expect(help).toContain(flag);
    }
  });
});
