import { defineMutant, type Mutant } from './mutant.js';

const textOf = (chunk: Uint8Array): string => Buffer.from(chunk).toString('utf8');

export const stdioMutants: readonly Mutant[] = [
  defineMutant({
    name: 'banner-on-stdout',
    kills: 'STD-01',
    defect: 'The process greets before its first message.',
    mutation: { process: { banner: 'Reference server is running on stdio\n' } },
  }),
  defineMutant({
    name: 'debug-output-on-stdout',
    kills: 'STD-01',
    defect: 'A list of tools is accompanied by a line of debug output.',
    mutation: {
      process: { line: (text) => (text.includes('"tools":[') ? `[debug] listing tools\n${text}\n` : `${text}\n`) },
    },
  }),
  defineMutant({
    name: 'writes-latin-1',
    kills: 'STD-02',
    defect: 'Characters beyond ASCII are written in another encoding than UTF-8.',
    mutation: {
      process: { line: (text) => (text.includes('ü') ? Buffer.from(`${text}\n`, 'latin1') : `${text}\n`) },
    },
  }),
  defineMutant({
    name: 'decodes-each-read-by-itself',
    kills: 'STD-03',
    defect: 'A character whose bytes come in two reads is broken.',
    mutation: { process: { input: (chunk) => Buffer.from(textOf(chunk)) } },
  }),
  defineMutant({
    name: 'sees-one-message-per-read',
    kills: 'STD-04',
    defect: 'Of two requests in one read only the first is seen.',
    mutation: {
      process: {
        input: (chunk) => {
          const text = textOf(chunk);
          const first = text.indexOf('"pair-1"');
          return first === -1 ? chunk : Buffer.from(text.slice(0, text.indexOf('\n', first) + 1));
        },
      },
    },
  }),
  defineMutant({
    name: 'ignores-single-bytes',
    kills: 'STD-05',
    defect: 'A read of a single byte is thrown away.',
    mutation: { process: { input: (chunk) => (chunk.length === 1 ? undefined : chunk) } },
  }),
  defineMutant({
    name: 'chokes-on-carriage-returns',
    kills: 'STD-06',
    defect: 'What comes with a carriage return is thrown away.',
    mutation: { process: { input: (chunk) => (textOf(chunk).includes('\r') ? undefined : chunk) } },
  }),
  defineMutant({
    name: 'chokes-on-junk',
    kills: 'STD-07',
    defect: 'Nothing that comes together with a line of junk is answered.',
    mutation: {
      process: {
        input: (chunk) => {
          const junk = Buffer.from(chunk).indexOf('this is no JSON');
          return junk === -1 ? chunk : chunk.subarray(0, junk);
        },
      },
    },
  }),
  defineMutant({
    name: 'dies-of-a-long-line',
    kills: 'STD-08',
    defect: 'After a line of more than half a megabyte, nothing is read.',
    mutation: {
      process: () => {
        let dead = false;
        return {
          input: (chunk) => {
            dead ||= chunk.length > 500_000;
            return dead ? undefined : chunk;
          },
        };
      },
    },
  }),
  defineMutant({
    name: 'ends-with-an-error',
    kills: 'STD-10',
    defect: 'The end of its input is an error to it.',
    mutation: { process: { exitCode: 3 } },
  }),
  defineMutant({
    name: 'ignores-sigterm',
    kills: 'STD-11',
    defect: 'SIGTERM has no effect.',
    mutation: { process: { ignoreTerm: true } },
  }),
  defineMutant({
    name: 'drops-what-is-not-read',
    kills: 'STD-16',
    defect: 'Some answers of a burst are lost.',
    mutation: { process: { line: (text) => (/"burst-\d*7"/u.test(text) ? '' : `${text}\n`) } },
  }),
];
