import { checkReport } from '@plugboard/contract';
import { z } from 'zod';
import { checkTarget } from './target.js';

const json = (schema: z.ZodType, title: string, io: 'input' | 'output'): string =>
  `${JSON.stringify({ title, ...z.toJSONSchema(schema, { io, target: 'draft-2020-12' }) }, null, 2)}\n`;

/** The JSON Schema of a target file, for editors. */
export const targetJsonSchema = (): string => json(checkTarget, 'A target of plugboard check', 'input');

/** The JSON Schema of what `--json` writes. */
export const reportJsonSchema = (): string => json(checkReport, 'A report of plugboard check', 'output');
