import { SAMPLE_NAME } from '../bundled/sample-server.js';

export interface WelcomeFacts {
  readonly version: string;
  readonly url: string;
  readonly home: string;
}

export const runningLine = ({ version, url, home }: WelcomeFacts): string =>
  `Plugboard ${version} is running at ${url} (state in ${home}). Stop it with Ctrl-C.\n`;

/**
 * Where the console is. A person at a terminal gets a link that signs them in; a file or a pipe, which may keep what it is
 * given, does not.
 */
export const consoleLine = ({ url, secret }: { readonly url: string; readonly secret: string | undefined }): string =>
  secret === undefined
    ? `The console: ${url}/    Sign in with the key that \`plugboard key local\` prints.\n`
    : `The console: ${url}/#/sign-in/${secret}\nThe link works once, on this machine, for ten minutes.\n`;

/** Commands that work as they are printed. */
export const tryLines = ({ url, keyed }: Pick<WelcomeFacts, 'url'> & { readonly keyed: boolean }): string =>
  [
    '',
    'Try, in another terminal:',
    '  npx plugboard list',
    '  npx plugboard call documents convert_document --arg input_path=README.md --arg output_format=text',
    "  npx plugboard call sandbox run_code --arg code='[1, 2, 3].map((n) => n * n)'",
    '  npx plugboard call collections run_collection --arg collection=hub.postman_collection.json',
    `  curl -s ${url}/servers/${SAMPLE_NAME}/tools/get-sum -H 'content-type: application/json' -d '{"a": 2, "b": 3}'${keyed ? ' -H "Authorization: Bearer $(npx plugboard key local)"' : ''}`,
    `  curl -s ${url}/v1/mcp-servers -H "Authorization: Bearer $(npx plugboard key local)"`,
    '',
    `Every tool as one MCP endpoint: ${url}/mcp    The documentation: ${url}/docs`,
    '',
  ].join('\n');
