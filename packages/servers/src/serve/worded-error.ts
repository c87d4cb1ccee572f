/** What a caller is told for each code. */
export type ErrorWords<Code extends string> = Readonly<
  Record<Code, { readonly sentence: string; readonly hint: string }>
>;

/** A refusal with words that are fit for the caller. */
export class WordedError<Code extends string> extends Error {
  readonly code: Code;
  readonly hint: string;

  constructor(words: ErrorWords<Code>, code: Code, sentence: string = words[code].sentence) {
    super(sentence);
    this.code = code;
    this.hint = words[code].hint;
  }
}
