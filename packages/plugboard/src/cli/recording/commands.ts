import { type Command } from 'commander';
import { addAddress, type AddressOptions, addressOf } from '../server-flags/address-options.js';
import { collect, type DefinitionTools } from '../command/define.js';
import { parsePort } from '../command/parse-number.js';
import type { RecordInput } from './record.js';
import type { ReplayInput } from './replay.js';

const RECORD_HELP = `
With a command, this program takes its place: put it into the configuration of a client. With a URL, or the name of a registered
server while a hub runs, it listens on this machine and passes everything on. Headers are not recorded, and secrets in messages are
redacted by their form and by the names of members. Look at the file before you share it.

Examples:
  plugboard record -o session.jsonl -- npx -y @modelcontextprotocol/server-everything
  plugboard record -o session.jsonl https://server.example/mcp
  plugboard record -o session.jsonl files`;

const REPLAY_HELP = `
Without --against, it is a server that answers as recorded: on its standard input and output, or with --http at a URL. With --against,
the recorded requests are sent to another server, also those with side effects, and the answers are compared. The recording of a model
(chat --record, eval --record) is served with --http to clients of OpenAI, Anthropic and Bedrock; its answers come in their order.
Exit code 1: an answer differs; 3: the server could not be examined; 4: nothing responds.

Examples:
  plugboard replay session.jsonl
  plugboard replay session.jsonl --http
  plugboard replay session.jsonl --against --report diff.html -- node new-server.js
  plugboard replay session.jsonl --against https://next.example/mcp --ignore 'structuredContent.took'`;

const defineRecord = ({ define, run }: DefinitionTools): void => {
  addAddress(define('record', 'record the traffic between a client and a server'))
    .usage('[options] <server|url>\n       plugboard record [options] -- <command> [arguments...]')
    .argument('[target...]', 'a registered server, a URL, or after two dashes a command')
    .option('-o, --output <file>', 'the recording (default: recording.jsonl)')
    .option('--port <port>', 'the port to listen on for a URL (default: any free one)', parsePort)
    .option('--force', 'overwrite an existing file')
    .addHelpText('after', RECORD_HELP)
    .action((target: readonly string[], options: AddressOptions & Partial<RecordInput>, command: Command) =>
      run(command, () => import('./record.js'), 'run', {
        output: 'recording.jsonl',
        port: 0,
        force: false,
        ...options,
        address: addressOf(target, options),
      }),
    );
};

/** `record` and `replay`. */
export const defineRecordingCommands = (tools: DefinitionTools): void => {
  defineRecord(tools);
  const { define, run } = tools;
  addAddress(define('replay', 'answer as a recorded server did, or compare a server with a recording'))
    .usage(
      '[options] <recording>\n       plugboard replay [options] <recording> --against <server|url|file>\n       plugboard replay [options] <recording> --against -- <command> [arguments...]',
    )
    .argument('<recording>', 'a file that `record` wrote')
    .argument('[target...]', 'with --against: a registered server, a URL, a target file, or after two dashes a command')
    .option('--against', 'send the recorded requests to the target and compare the answers')
    .option('--http', 'serve at a URL instead of standard input and output')
    .option('--port <port>', 'the port of --http (default: any free one)', parsePort)
    .option(
      '--ignore <path>',
      'a part of results that may differ, such as structuredContent.*; may be repeated',
      collect,
    )
    .option('--report <file>', 'also write .json, .md, .xml (JUnit), .sarif, .html or .svg; may be repeated', collect)
    .option('-v, --verbose', 'show every request')
    .addHelpText('after', REPLAY_HELP)
    .action(
      (
        recording: string,
        target: readonly string[],
        options: AddressOptions & Partial<ReplayInput>,
        command: Command,
      ) =>
        run(command, () => import('./replay.js'), 'run', {
          against: false,
          http: false,
          port: 0,
          ignore: [],
          report: [],
          verbose: false,
          ...options,
          recording,
          address: addressOf(target, options),
        }),
    );
};
