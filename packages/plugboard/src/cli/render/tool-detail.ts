import type { Grade, GradeReason, ProviderVerdict } from '@plugboard/contract';
import type { UsableTool } from '../../hub-api/client/usable-tools.js';
import type { Output } from '../../terminal/output.js';
import { printableBlock, printableLine } from '../../terminal/printable.js';
import { wrapText } from '../../terminal/text-width.js';
import { type Parameter, parametersOf } from './parameters.js';
import { ownCommand } from '../../terminal/shell-quote.js';
import { effectWords, gradeWord, paintGrade } from './tool-words.js';

type View = Pick<Output, 'style' | 'width'>;

/** One parameter with its whole description: it is the only place where people can read it. */
const parameterLines = (
  { name, type, required, description }: Parameter,
  { style, width }: View,
): readonly string[] => {
  const head = `  ${style.bold(printableLine(name))}  ${style.dim(printableLine(type))}${required ? '  needed' : ''}`;
  const text = printableBlock(description).trim();
  return [head, ...(text === '' ? [] : wrapText(text, (width ?? 100) - 6).map((line) => `      ${line}`))];
};

const reasonLines = ({ message, pointer, fix }: GradeReason, width: number): readonly string[] => {
  const where = pointer === '' ? '' : ` (at ${printableLine(pointer)})`;
  const repair = fix === undefined ? '' : ` → ${printableLine(fix)}`;
  return wrapText(`${printableLine(message)}${where}${repair}`, width - 6).map(
    (line, index) => `${index === 0 ? '    ' : '      '}${line}`,
  );
};

const verdictWords = (verdict: ProviderVerdict): string => {
  switch (verdict.verdict) {
    case 'ok':
      return 'ok';
    case 'rewritten':
      return verdict.lossless ? 'rewritten, nothing lost' : 'rewritten, with loss';
    case 'rejected':
      return 'rejected';
    default:
      return verdict satisfies never;
  }
};

const PLACEHOLDERS: Readonly<Record<string, string>> = { number: '1', integer: '1', boolean: 'true' };

const exampleCall = (call: readonly string[], tool: UsableTool): string => {
  const args = parametersOf(tool.input_schema)
    .filter(({ required }) => required)
    .flatMap(({ name, type }) => ['--arg', `${name}=${PLACEHOLDERS[type] ?? '…'}`]);
  const [first = ''] = call;
  return printableLine(
    first.startsWith('--')
      ? `plugboard call ${ownCommand([tool.upstream_name], [...call, ...args])}`
      : `plugboard call ${ownCommand([...call, tool.upstream_name], args)}`,
  );
};

const gradeLines = ({ status, reasons }: Grade, { style, width }: View): readonly string[] => [
  `  ${style.dim('grade')}   ${paintGrade(gradeWord(status), status, style)}`,
  ...reasons.flatMap((reason) => reasonLines(reason, width ?? 100)),
];

/** Everything about one tool: what it is for, what it takes, how it is graded and how to call it. */
export const toolDetail = (call: readonly string[], tool: UsableTool, view: View): string => {
  const { style, width } = view;
  const effect = effectWords(tool);
  const parameters = parametersOf(tool.input_schema);
  const description = printableBlock(tool.description ?? '').trim();
  const providers = Object.entries(tool.providers ?? {});
  return [
    `${style.bold(printableLine(tool.upstream_name))}${effect === '' ? '' : style.dim(`  ${effect}`)}${tool.enabled === false ? style.yellow('  not offered to agents') : ''}`,
    ...(description === '' ? [] : wrapText(description, (width ?? 100) - 2).map((line) => `  ${line}`)),
    '',
    ...(parameters.length === 0
      ? ['  It takes no parameters.']
      : parameters.flatMap((parameter) => parameterLines(parameter, view))),
    '',
    ...(tool.grade === undefined ? [] : gradeLines(tool.grade, view)),
    ...(tool.name === undefined || tool.name === tool.upstream_name
      ? []
      : [`  ${style.dim('models see it as')}  ${printableLine(tool.name)}`]),
    ...(providers.length === 0 ? [] : [`  ${style.dim('providers')}`]),
    ...providers.map(([profile, verdict]) => `    ${profile}: ${verdictWords(verdict)}`),
    '',
    `  ${style.dim('call it')}  ${exampleCall(call, tool)}`,
  ].join('\n');
};
