import { TestRunner } from 'vitest';

/** How many processes the hub of a test has; undefined when it runs in the process of the test. */
export const workersOfTests = (): string | undefined => process.env['HUB_WORKERS'];

/** Skips the test: it looks at something that only a hub in its own process shows. */
export const needsOwnProcess = (what: string): never => {
  TestRunner.getCurrentTest()?.context.skip(`a hub of several processes has no ${what}`);
  throw new Error(`a hub of several processes has no ${what}`);
};
