import { stringify } from 'yaml';
import type { JsonObject } from '../connection/json.js';
import { exampleArguments } from '../generate/example.js';
import { doubtAbout } from '../calls/doubts.js';
import type { ListedTool } from '../calls/tool.js';
import type { CheckTarget } from '../target/target.js';

const indented = (text: string, by: string): string =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => `${by}${line}`)
    .join('\n');

const entry = (tool: ListedTool, args: JsonObject): string =>
  indented(stringify({ [tool.name]: { arguments: args } }, { lineWidth: 100 }), '  ');

const commented = (text: string): string =>
  text
    .split('\n')
    .map((line) => `  # ${line.slice(2)}`)
    .join('\n');

/** A target file for a server as it is now: what only reads may be called, the rest is left to the operator. */
export const draftTarget = (target: CheckTarget, tools: readonly ListedTool[]): string => {
  const address = {
    ...(target.name === undefined ? {} : { name: target.name }),
    ...(target.url === undefined ? {} : { url: target.url }),
    ...(target.command === undefined ? {} : { command: target.command }),
    ...(Object.keys(target.headers).length === 0
      ? {}
      : {
          headers: Object.fromEntries(
            Object.keys(target.headers).map((name) => [
              name,
              `\${${name.toUpperCase().replaceAll(/[^A-Z0-9]+/gu, '_')}}`,
            ]),
          ),
        }),
    tier: 'standard',
  };
  const reading = tools.filter((tool) => tool.annotations['readOnlyHint'] === true && doubtAbout(tool) === undefined);
  const others = tools.filter((tool) => !reading.includes(tool));
  return [
    '# What `plugboard check <this file>` examines. docs/check-target.schema.json describes every member.',
    stringify(address).trimEnd(),
    '# Which tools may be called freely, and with what. Others are called a few times if their schemas give examples.',
    tools.length === 0 ? 'tools: {}' : 'tools:',
    ...reading.map((tool) => entry(tool, exampleArguments(tool.inputSchema))),
    ...(others.length === 0
      ? []
      : ['  # These do not say that they only read, or something speaks against it. Allow what is harmless:']),
    ...others.map((tool) => commented(entry(tool, exampleArguments(tool.inputSchema)))),
    ...(tools.length > 0 && reading.length === 0 ? ['  {}'] : []),
    '# Failures that are known; an entry that does not fail any more fails the run.',
    'baseline: []',
    '',
  ].join('\n');
};
