import type { HostFunction, JSValueHandle, QuickJS } from 'quickjs-wasi';
import { intlAnswer } from './intl-answer.js';
import { copiedBytes, isView } from './copied-bytes.js';
import type { HostCalls } from './host-calls.js';
import { CONSOLE_LEVELS, type ConsoleLevel, type ConsoleLine } from './isolate-job.js';
import type { Meter } from './meter.js';
import { PlainWriter, type AskRuntime } from './plain-value.js';
import type { VirtualFiles } from './virtual-files.js';

const CONSOLE_NODES = 200;
const CONSOLE_DEPTH = 4;

export interface HostFunctionParts {
  readonly vm: QuickJS;
  readonly meter: Meter;
  readonly files: VirtualFiles;
  readonly calls: HostCalls;
  readonly ask: AskRuntime;
  readonly say: (line: ConsoleLine) => void;
}

/**
 * Everything of the host that the guest can call. They take whatever comes and never throw: an exception of the host
 * would carry its stack into the isolate.
 */
export const hostFunctions = (parts: HostFunctionParts): Readonly<Record<string, HostFunction>> => {
  const functions = {
    ...consoleFunctions(parts),
    ...fileFunctions(parts),
    ...textFunctions(parts),
    ...callFunctions(parts),
  };
  return Object.fromEntries(Object.entries(functions).map(([name, run]) => [name, contained(run, parts)]));
};

/** The one thing that can fail here is memory of the isolate. */
const contained =
  (run: HostFunction, { vm, meter }: HostFunctionParts): HostFunction =>
  (...values) => {
    try {
      return run.apply(vm.undefined, values);
    } catch {
      meter.stop('MEMORY_LIMIT');
      return vm.undefined;
    }
  };

const consoleFunctions = (parts: HostFunctionParts): Record<ConsoleLevel, HostFunction> => {
  const at =
    (level: ConsoleLevel): HostFunction =>
    (...values) => {
      const text = lineText(values, parts);
      if (parts.meter.grantOutput(Buffer.byteLength(text) + 1)) parts.say({ level, text });
      return parts.vm.undefined;
    };
  return Object.fromEntries(CONSOLE_LEVELS.map((level) => [level, at(level)])) as Record<ConsoleLevel, HostFunction>;
};

const lineText = (values: readonly JSValueHandle[], { vm, meter, ask }: HostFunctionParts): string => {
  const words: string[] = [];
  for (const value of values) {
    if (value.isString && value.length > meter.outputLeft) {
      meter.grantOutput(value.length);
      break;
    }
    words.push(value.isString ? value.toString() : wordOf(value, { vm, meter, ask }));
  }
  return words.join(' ');
};

const wordOf = (value: JSValueHandle, { vm, meter, ask }: Pick<HostFunctionParts, 'vm' | 'meter' | 'ask'>): string => {
  const bounds = {
    maxNodes: CONSOLE_NODES,
    maxDepth: CONSOLE_DEPTH,
    maxBytes: meter.outputLeft,
    excess: 'cut',
  } as const;
  const plain = vm.withScope(() => new PlainWriter(bounds, ask).write(value));
  if (plain === undefined) return 'undefined';
  return typeof plain === 'string' ? plain : JSON.stringify(plain);
};

const fileFunctions = ({ vm, files }: HostFunctionParts): Record<string, HostFunction> => ({
  fileNames: () => vm.hostToHandle([...files.names]),
  fileExists: (name) => vm.hostToHandle(files.read(textArgument(name)) !== undefined),
  fileRead: (name) => {
    const bytes = files.read(textArgument(name));
    return bytes === undefined ? vm.newString('The file does not exist.') : vm.newUint8Array(bytes);
  },
  fileWrite: (name, data) => {
    const bytes = bytesArgument(data);
    if (bytes === undefined) return vm.newString('The content of a file must be text or bytes.');
    const refusal = files.write(textArgument(name), bytes);
    return refusal === undefined ? vm.undefined : vm.newString(refusal);
  },
  fileRemove: (name) => vm.hostToHandle(files.remove(textArgument(name))),
});

/** What the guest's `URL` asks of the host: pure functions from text to text. */

const PARTS = [
  'href',
  'protocol',
  'username',
  'password',
  'host',
  'hostname',
  'port',
  'pathname',
  'search',
  'hash',
] as const;

const partsOf = (url: URL): string =>
  JSON.stringify({ ...Object.fromEntries(PARTS.map((part) => [part, url[part]])), origin: url.origin });

/** The parts as JSON, or nothing where the text is no URL. */
const urlParts = (text: string, base: string): string => {
  const from = base === '' ? undefined : base;
  return URL.canParse(text, from) ? partsOf(new URL(text, from)) : '';
};

const urlWith = (href: string, part: string, value: string): string => {
  const known = PARTS.find((one) => one === part);
  if (known === undefined || !URL.canParse(href) || (known === 'href' && !URL.canParse(value))) return '';
  const url = new URL(href);
  url[known] = value;
  return partsOf(url);
};

const queryPairs = (text: string): string => JSON.stringify([...new URLSearchParams(text)]);

const queryText = (pairs: string): string => {
  const read: unknown = JSON.parse(pairs);
  const entries: unknown[] = Array.isArray(read) ? read : [];
  return new URLSearchParams(entries.map(pairOf)).toString();
};

const pairOf = (entry: unknown): [string, string] => {
  const [key, value] = Array.isArray(entry) ? (entry as unknown[]) : [];
  return [String(key), String(value)];
};

const textFunctions = ({ vm }: HostFunctionParts): Record<string, HostFunction> => ({
  decodeText: (data) => {
    const bytes = bytesArgument(data);
    return bytes === undefined ? vm.undefined : vm.newString(new TextDecoder().decode(bytes));
  },
  urlParts: (url, base) => vm.newString(urlParts(textArgument(url), textArgument(base))),
  urlWith: (href, part, value) => vm.newString(urlWith(textArgument(href), textArgument(part), textArgument(value))),
  queryPairs: (text) => vm.newString(queryPairs(textArgument(text))),
  queryText: (pairs) => vm.newString(queryText(textArgument(pairs))),
  intl: (request) => vm.newString(intlAnswer(textArgument(request))),
});

const callFunctions = ({ vm, calls }: HostFunctionParts): Record<string, HostFunction> => ({
  startCall: (id, question) => vm.hostToHandle(calls.start(id.isNumber ? id.toNumber() : 0, textArgument(question))),
});

const MAX_NAME_LENGTH = 32 * 1024 * 1024;

const textArgument = (value: JSValueHandle | undefined): string =>
  value?.isString === true && value.length <= MAX_NAME_LENGTH ? value.toString() : '';

const bytesArgument = (value: JSValueHandle | undefined): Uint8Array | undefined => {
  if (value === undefined) return undefined;
  if (value.isString) return new TextEncoder().encode(value.toString());
  return value.isArrayBuffer || isView(value) ? copiedBytes(value) : undefined;
};
