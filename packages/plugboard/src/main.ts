#!/usr/bin/env node
import { leave, nodeProcess } from './process/node-process.js';
import { runCli } from './cli/run-cli.js';

const context = nodeProcess();
const code = await runCli(context, {
  openHub: async (process, url, settings) => {
    const { openHub } = await import('./hub-api/connect/open-hub.js');
    return openHub({
      process,
      url,
      settings,
      compose: async (resolved) => {
        const [{ composeHub }, { quietLogger }] = await Promise.all([
          import('./compose/compose-hub.js'),
          import('./log/quiet-logger.js'),
        ]);
        return composeHub(resolved, quietLogger);
      },
    });
  },
});
leave(code, context.signal);
