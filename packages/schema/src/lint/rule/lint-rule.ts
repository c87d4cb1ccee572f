import type { ServerSubject, Text, ToolSubject } from './subject.js';

/** error: treat the tool as hostile or broken. warning: a person should look. advice: it would work better. */
export type LintLevel = 'error' | 'warning' | 'advice';

/** What a rule saw, and where. */
export interface Hit {
  /** The server's name for the tool; absent for the server's own texts. */
  readonly tool?: string;
  readonly where: string;
  /** What was found there, in words that fit behind the rule's sentence. */
  readonly detail?: string;
}

/** One statement about what tools say, with what to do when it does not hold. */
export interface LintRule {
  readonly id: string;
  readonly name: string;
  readonly level: LintLevel;
  /** What is wrong when the rule speaks. */
  readonly sentence: string;
  readonly fix: string;
  readonly inspect: (server: ServerSubject) => readonly Hit[];
}

export interface LintFinding extends Hit {
  readonly rule: string;
  readonly name: string;
  readonly level: LintLevel;
  readonly server?: string;
  readonly message: string;
  readonly fix: string;
}

type InspectTool = (tool: ToolSubject) => readonly (Omit<Hit, 'tool'> | undefined)[];
type InspectText = (text: Text) => string | undefined;

const isSeen = <Seen>(seen: Seen | undefined): seen is Seen => seen !== undefined;

/** A rule that looks at one tool at a time. */
export const perTool =
  (inspect: InspectTool): LintRule['inspect'] =>
  ({ tools }) =>
    tools.flatMap((subject) =>
      inspect(subject)
        .filter(isSeen)
        .map((hit) => ({ tool: subject.tool.name, ...hit })),
    );

/** A rule that looks at every text of every tool, and at the instructions. What it answers is the detail. */
export const perText =
  (inspect: InspectText): LintRule['inspect'] =>
  ({ tools, texts }) => {
    const look = (text: Text): readonly Hit[] => {
      const detail = inspect(text);
      return detail === undefined ? [] : [{ where: text.where, detail }];
    };
    return [
      ...texts.flatMap(look),
      ...tools.flatMap(({ tool, texts: own }) => own.flatMap(look).map((hit) => ({ tool: tool.name, ...hit }))),
    ];
  };

/** A piece of text that is safe to show: short, and with everything invisible spelled out. */
export const excerpt = (text: string, max = 80): string =>
  text
    .slice(0, max)
    .replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}]/gu, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`)
    .trim() + (text.length > max ? '…' : '');
