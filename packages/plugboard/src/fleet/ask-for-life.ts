import { request as httpRequest } from 'node:http';

/** Resolves when the process at this address answers; what it answers does not matter. Every version refuses it at once. */
export const askForLife = (url: string, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const asked = httpRequest(url, { agent: false, signal }, (answer) => {
      answer.resume();
      resolve();
    });
    asked.on('error', reject);
    asked.end();
  });
