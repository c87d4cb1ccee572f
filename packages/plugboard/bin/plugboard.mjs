#!/usr/bin/env node
// Committed, not built: npm links programs before the build that makes dist.
import module from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';

// Node 22 can keep what its compiler made of our code, so that the next start does not compile it again. It keeps that below
// the temporary directory unless it is told where, and there another user could put code that we would run.
try {
  module.enableCompileCache?.(join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'plugboard', 'compile'));
} catch {
  // A user without a home directory starts without it.
}
await import('../dist/main.js');
