import { z } from 'zod';
import { configFile } from './config-file.js';

/** docs/plugboard.schema.json: what an editor needs to check and complete plugboard.json. */
export const configJsonSchema = (): Readonly<Record<string, unknown>> => ({
  ...z.toJSONSchema(configFile, { io: 'input' }),
  title: 'plugboard.json',
  description: 'The configuration of a Plugboard hub. PLUGBOARD_* variables and flags override it.',
});
