import { createRequire } from 'node:module';
import { BRIDGE, GUEST_BRIDGE } from './guest-bridge.js';

type Bootcode = (done: (error: Error | null, code?: string) => void) => void;

/**
 * The program that turns an isolate into Postman's script sandbox. It is the code that newman runs, in its form for
 * browsers: that one expects nothing of Node.
 */
export const postmanBoot = async (): Promise<string> => {
  const require = createRequire(import.meta.url);
  const bootcode = require('postman-sandbox/.cache/bootcode.browser.js') as Bootcode;
  const code = await new Promise<string>((resolve, reject) => {
    bootcode((error, text) => {
      if (text === undefined) reject(error ?? new Error('The package postman-sandbox has no boot code.'));
      else resolve(text);
    });
  });
  return `${GUEST_BRIDGE}\n${code}\n${BRIDGE}.initialize();\nundefined`;
};
