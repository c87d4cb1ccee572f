import type { GradeStatus, ToolView } from '@plugboard/contract';
import { printableLine } from '../../terminal/printable.js';
import type { Style } from '../../terminal/style.js';

const GRADES = { STRICT_COMPLIANT: 'strict', NON_STRICT_ONLY: 'non-strict', INVALID: 'invalid' } as const;

export const gradeWord = (status: GradeStatus): string => GRADES[status];

export const paintGrade = (text: string, status: GradeStatus, style: Style): string => {
  switch (status) {
    case 'STRICT_COMPLIANT':
      return style.green(text);
    case 'NON_STRICT_ONLY':
      return style.yellow(text);
    case 'INVALID':
      return style.red(text);
    default:
      return status satisfies never;
  }
};

/** What the server says of the tool's effects. */
export const effectWords = ({ annotations }: Partial<Pick<ToolView, 'annotations'>>): string => {
  if (annotations?.readOnlyHint === true) return 'reads';
  if (annotations?.destructiveHint === true) return 'destroys';
  if (annotations?.readOnlyHint === false) return 'writes';
  return '';
};

/** The first sentence of the description, or the title. */
export const briefly = (tool: Partial<Pick<ToolView, 'description' | 'title'>>): string => {
  const text = printableLine((tool.description ?? tool.title ?? '').slice(0, 2000));
  return /^.+?[.!?](?=\s|$)/u.exec(text)?.[0] ?? text;
};
