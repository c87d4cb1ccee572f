import { headerName, headerValue } from '@plugboard/contract';
import { invalidArgument } from '../command/invalid-argument.js';

/** `K=V`; the value may contain anything, an equals sign too. */
export const parsePair = (flag: string, text: string): readonly [name: string, value: string] => {
  const at = text.indexOf('=');
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)];
  throw invalidArgument(`${flag} needs NAME=VALUE, but got "${text}".`, `Write it as ${flag} NAME=VALUE.`);
};

export const parsePairs = (flag: string, texts: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(texts.map((text) => parsePair(flag, text)));

// The value is not repeated in the message: it is most likely a secret.
const parseHeader = (text: string): readonly [name: string, value: string] => {
  const match = /^\s*(?<name>[^:=\s]+)\s*[:=]\s*(?<value>.*?)\s*$/su.exec(text)?.groups;
  const name = match?.['name'];
  const value = match?.['value'];
  if (name === undefined || value === undefined || !headerName.safeParse(name).success) {
    throw invalidArgument('--header needs "Name: value".', 'Quote it for the shell: --header "X-API-Key: …".');
  }
  if (!headerValue.safeParse(value).success) {
    throw invalidArgument(
      `The value of the header ${name} contains a line break or a control character.`,
      'Remove it.',
    );
  }
  return [name, value];
};

export const parseHeaders = (texts: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(texts.map(parseHeader));
