#!/usr/bin/env node
// Committed, not built: npm links programs before the build that makes dist.
import '../dist/collections/program/main.js';
