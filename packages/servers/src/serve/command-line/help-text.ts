import type { ProgramOption, ServerProgram } from './server-program.js';

const row = (flag: string, help: string): string => `  ${flag.padEnd(26)} ${help}`;

const ownRow = ([name, option]: readonly [string, ProgramOption]): string => {
  const flag = option.type === 'boolean' ? `--${name}` : `--${name} <${option.value ?? 'value'}>`;
  return row(flag, option.multiple === true ? `${option.help} May be repeated.` : option.help);
};

export const usageLine = ({ name }: ServerProgram): string => `Usage: ${name} [--transport stdio|http] [options]`;

/** What `--help` prints. */
export const helpText = (program: ServerProgram): string =>
  [
    usageLine(program),
    '',
    program.summary,
    '',
    'Options:',
    row('--transport <stdio|http>', 'Transport for clients (default: stdio).'),
    row('--host <host>', 'Address to listen on over http (MCP_HOST; default: 127.0.0.1).'),
    row('--port <port>', `Port, 1024 to 65535 (MCP_PORT; default: ${program.defaultPort}); 0 for any free one.`),
    row('--allow-host <name>', 'Additional host name that is allowed in Host, besides localhost. May be repeated.'),
    row('--allow-origin <name>', 'Additional host name that is allowed in Origin, besides localhost. May be repeated.'),
    ...Object.entries(program.options ?? {}).map(ownRow),
    row('--help', 'Print this text.'),
    row('--version', 'Print the version.'),
    '',
    'Over http: GET /health responds once the server is ready; /mcp speaks MCP.',
    '',
  ].join('\n');
