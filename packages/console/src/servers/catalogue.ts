import type { ServerConfig } from '@plugboard/contract';
import { isJson, type Json, textIn } from '../api/json.js';
import { configFrom, nameFrom, readMcpJson } from './mcp-json.js';

/** Something that a person fills in before a server can be added. */
export interface CatalogueInput {
  readonly name: string;
  readonly description: string;
  readonly place: 'env' | 'header' | 'argument';
  readonly required: boolean;
  readonly secret: boolean;
  readonly start: string;
}

/** One way to run or reach a server of the catalogue. */
export interface CatalogueWay {
  readonly label: string;
  readonly config: ServerConfig;
  readonly inputs: readonly CatalogueInput[];
}

export interface CatalogueEntry {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly ways: readonly CatalogueWay[];
}

export type Catalogue = { readonly entries: readonly CatalogueEntry[] } | { readonly problem: string };

const listIn = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.filter(isJson) : []);

const inputOf = (value: Json, place: CatalogueInput['place']): CatalogueInput => ({
  name: textIn(value['name']) || textIn(value['valueHint']) || 'argument',
  description: textIn(value['description']),
  place,
  required: value['isRequired'] === true,
  secret: value['isSecret'] === true,
  start: textIn(value['value']) || textIn(value['default']),
});

/** Arguments that are given are written down; those that a person must give become inputs. */
const argumentsOf = (values: readonly Json[]): { readonly args: string[]; readonly inputs: CatalogueInput[] } => {
  const args: string[] = [];
  const inputs: CatalogueInput[] = [];
  for (const value of values) {
    const given = textIn(value['value']) || textIn(value['default']);
    const flag = value['type'] === 'named' ? textIn(value['name']) : '';
    if (given === '' && value['isRequired'] === true && flag === '') inputs.push(inputOf(value, 'argument'));
    else if (given !== '' || flag !== '') args.push(...[flag, given].filter((part) => part !== ''));
  }
  return { args, inputs };
};

const RUNNERS: Readonly<Record<string, (identifier: string, version: string) => readonly [string, readonly string[]]>> =
  {
    npm: (identifier, version) => ['npx', ['-y', version === '' ? identifier : `${identifier}@${version}`]],
    pypi: (identifier, version) => ['uvx', [version === '' ? identifier : `${identifier}==${version}`]],
    oci: (identifier, version) => [
      'docker',
      ['run', '-i', '--rm', version === '' || identifier.includes(':') ? identifier : `${identifier}:${version}`],
    ],
  };

const packageWay = (value: Json): readonly CatalogueWay[] => {
  const kind = textIn(value['registryType']) || textIn(value['registry_name']);
  const identifier = textIn(value['identifier']) || textIn(value['name']);
  const transport = isJson(value['transport']) ? textIn(value['transport']['type']) : 'stdio';
  const runner = RUNNERS[kind];
  if (runner === undefined || identifier === '' || transport !== 'stdio') return [];
  const [command, before] = runner(identifier, textIn(value['version']));
  const { args, inputs } = argumentsOf(listIn(value['packageArguments']));
  const env = listIn(value['environmentVariables']).map((one) => inputOf(one, 'env'));
  return [
    {
      label: `${kind}: ${identifier}`,
      config: { mcp_server_type: 'stdio', command, args: [...before, ...args], env: null, cwd: null },
      inputs: [...inputs, ...env],
    },
  ];
};

const remoteWay = (value: Json): readonly CatalogueWay[] => {
  const config = configFrom({ url: value['url'], type: value['type'] });
  if (typeof config === 'string') return [];
  return [
    {
      label: textIn(value['url']),
      config,
      inputs: listIn(value['headers']).map((one) => inputOf(one, 'header')),
    },
  ];
};

const entryOf = (value: Json): CatalogueEntry | undefined => {
  const inner = isJson(value['server']) ? value['server'] : value;
  const full = textIn(inner['name']);
  const ways = [...listIn(inner['packages']).flatMap(packageWay), ...listIn(inner['remotes']).flatMap(remoteWay)];
  if (full === '' || ways.length === 0) return undefined;
  return { id: full, name: nameFrom(full.split('/').at(-1) ?? full), description: textIn(inner['description']), ways };
};

/** The servers of an mcp.json, which has no inputs. */
const fromMcpJson = (text: string): Catalogue => {
  const { entries, problem } = readMcpJson(text);
  const usable = entries.flatMap(({ name, create }): readonly CatalogueEntry[] =>
    create === undefined
      ? []
      : [{ id: name, name, description: '', ways: [{ label: 'as in the file', config: create.config, inputs: [] }] }],
  );
  return usable.length > 0 ? { entries: usable } : { problem: problem ?? 'No server in it can be added.' };
};

/** Reads a catalogue: a list of the MCP registry, one server.json, several of them, or an mcp.json. */
export const readCatalogue = (text: string): Catalogue => {
  let root: unknown;
  try {
    root = JSON.parse(text);
  } catch {
    return fromMcpJson(text);
  }
  const listed = Array.isArray(root) ? root : isJson(root) && Array.isArray(root['servers']) ? root['servers'] : [root];
  const entries = listIn(listed).flatMap((value) => entryOf(value) ?? []);
  return entries.length > 0 ? { entries } : fromMcpJson(text);
};

/** What is missing before a server can be added. */
export const missingInputs = ({ inputs }: CatalogueWay, values: Readonly<Record<string, string>>): readonly string[] =>
  inputs
    .filter(({ name, required, start }) => required && (values[name] ?? start).trim() === '')
    .map(({ name }) => name);

/** The config of a way, with what was filled in. */
export const filledConfig = (
  { config, inputs }: CatalogueWay,
  values: Readonly<Record<string, string>>,
): ServerConfig => {
  const given = inputs
    .map(({ name, place, start }) => ({ name, place, value: (values[name] ?? start).trim() }))
    .filter(({ value }) => value !== '');
  const pairs = (place: CatalogueInput['place']): Record<string, string> | null => {
    const own = given.filter((one) => one.place === place);
    return own.length === 0 ? null : Object.fromEntries(own.map(({ name, value }) => [name, value]));
  };
  if (config.mcp_server_type !== 'stdio') {
    return { ...config, custom_headers: pairs('header') ?? config.custom_headers ?? null };
  }
  const more = given.filter(({ place }) => place === 'argument').map(({ value }) => value);
  return { ...config, args: [...config.args, ...more], env: pairs('env') ?? config.env ?? null };
};
