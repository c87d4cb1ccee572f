#!/usr/bin/env node
import { leave, nodeProcess } from './node-process.js';
import { runCli } from './program/run-cli.js';

const context = nodeProcess();
const code = await runCli(context, {
  openHub: async (process, url, settings) => {
    const { openHub } = await import('./hub-api/open-hub.js');
    return openHub({
      process,
      url,
      settings,
      compose: async (resolved) => {
        const [{ composeHub }, { quietLogger }] = await Promise.all([
          import('./compose.js'),
          import('./hub-api/quiet-logger.js'),
        ]);
        return composeHub(resolved, quietLogger);
      },
    });
  },
});
leave(code, context.signal);
