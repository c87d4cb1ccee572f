import { defineConfig } from 'vitest/config';

// Packages are tested from source: the condition picks src/index.ts over dist/index.js. Node gets these conditions for
// require() too, so "import" must not be among them: it would hand ES modules to CommonJS packages such as pg.
const conditions = ['@plugboard/source', 'node'];
const project = (name: string, include: readonly string[], options: object = {}) => ({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    name,
    include: [...include],
    setupFiles: ['test/support/property-seed.ts', 'test/support/real-timers.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // What a test waits for comes within milliseconds; on a busy machine it took more than the second that is the default.
    expect: { poll: { timeout: 20_000 } },
    ...options,
  },
});

// Others look at the limits, the figures, the circuits or the connections of one process.
const WITH_WORKERS = [
  'both-eras',
  'bulk-lists',
  'cells',
  'crash-in-flight',
  'direct-methods',
  'doors',
  'faults',
  'fidelity',
  'first-list',
  'large-answer',
  'param-headers',
  'questions-apart',
  'reload',
  'retry-after',
  'session-lists',
  'shared-uris',
  'slow-listener',
  'slow-pipe',
  'stdio-proxy',
  'task-news',
  'tasks',
];

export default defineConfig({
  test: {
    reporters: ['default'],
    projects: [
      project('architecture', ['test/architecture/**/*.test.ts']),
      project('unit', ['packages/*/src/**/*.test.ts'], {
        exclude: ['**/*.integration.test.ts', '**/node_modules/**'],
        // Loading every module anew for each file took four times as long as the tests themselves.
        isolate: false,
        // Some wait for silence on purpose, and longer on a busy machine.
        testTimeout: 60_000,
      }),
      project('integration', ['packages/*/src/**/*.integration.test.ts', 'test/integration/**/*.test.ts'], {
        testTimeout: 60_000,
        hookTimeout: 120_000,
      }),
      project('e2e', ['test/e2e/**/*.test.ts'], { testTimeout: 120_000, hookTimeout: 120_000 }),
      // No stage of `npm test`: tests of the gateway again, with a built hub of two processes for each.
      project('workers', [`test/integration/gateway/{${WITH_WORKERS.join(',')}}.test.ts`], {
        testTimeout: 90_000,
        hookTimeout: 120_000,
        env: { HUB_WORKERS: '2' },
      }),
      // No stage of `npm test`: it takes minutes.
      project('kill-matrix', ['test/kill-matrix/**/*.test.ts'], { testTimeout: 300_000, maxConcurrency: 6 }),
      // Neither: it runs the official suite against every kind of server, and writes the tables of docs/conformance.
      project('conformance', ['test/conformance/**/*.test.ts'], { testTimeout: 900_000 }),
      project('browser', ['test/browser/**/*.test.ts'], { testTimeout: 120_000, hookTimeout: 120_000 }),
    ],
    coverage: {
      provider: 'v8',
      // One failing test must not hide how much the others reach.
      reportOnFailure: true,
      include: ['packages/*/src/**/*.ts'],
      exclude: ['**/*.test.ts', '**/*.contract.ts', '**/test-support/**', '**/dist/**'],
      reporter: ['text-summary', 'json-summary', 'lcov'],
    },
  },
});
