import type { ProcessSpec } from './program/process-spec.js';

const placeholder = /\{\{\s*PORT\s*\}\}|\$\{PORT\}/gu;

/** Tells a child its port: by PORT in its environment, and wherever {{PORT}} or ${PORT} stands. */
export const withPort = (spec: ProcessSpec, port: number): ProcessSpec => {
  const fill = (text: string): string => text.replaceAll(placeholder, String(port));
  const env = Object.fromEntries(Object.entries(spec.env).map(([name, value]) => [name, fill(value)]));
  return { ...spec, args: spec.args.map(fill), env: { PORT: String(port), ...env } };
};
