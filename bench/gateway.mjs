// What the hub costs between clients and servers, beside the server itself, a bare undici proxy, nginx, a relay made of
// the official SDK and the gateways of others, all in one run. CPU is user and system time of the process in the middle,
// from /proc, per request. Only the ratios mean something on another machine.
//   npm run build && node bench/gateway.mjs
// The gateways of others are measured when they are installed: npm ci --prefix bench/npm-peers
// Options: --rounds 20 --requests 500 --warm-up 60000
//   --only calls,methods,bridge,large,sessions,crowd,stdio,lists,progress,paced,full,open-loop,growth,start
//   --cells legacy-json,legacy-sse,modern-json,modern-sse --json
//   --against <main.js>: another build of the hub, measured beside this one in calls, stdio, methods, large, progress,
//   paced, full and open-loop
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { fullPath } from './gateway-bench/full-path.mjs';
import { INSTALL_PEERS, startHub, stopAll } from './gateway-bench/processes.mjs';
import { pacedProgress, progressStreams } from './gateway-bench/progress.mjs';
import { printRows, printVerdicts } from './gateway-bench/report.mjs';
import {
  bridgedCalls,
  firstCalls,
  growth,
  idleCrowd,
  idleSessions,
  largeAnswers,
  mergedLists,
  openLoop,
  otherMethods,
  relayedCalls,
  stdioCalls,
} from './gateway-bench/scenarios.mjs';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20' },
    requests: { type: 'string', default: '500' },
    'warm-up': { type: 'string', default: '60000' },
    only: {
      type: 'string',
      default: 'calls,methods,bridge,large,sessions,crowd,stdio,lists,progress,paced,full,open-loop,growth,start',
    },
    against: { type: 'string' },
    cells: { type: 'string', default: 'legacy-json,legacy-sse,modern-json,modern-sse' },
    json: { type: 'boolean', default: false },
  },
});
const effort = {
  rounds: Number(values.rounds),
  requests: Number(values.requests),
  warmUp: Number(values['warm-up']),
  cells: values.cells.split(','),
  against: values.against,
};
const GROUPS = {
  calls: relayedCalls,
  methods: otherMethods,
  bridge: bridgedCalls,
  large: largeAnswers,
  stdio: stdioCalls,
  lists: mergedLists,
  progress: progressStreams,
  paced: pacedProgress,
  full: fullPath,
  'open-loop': openLoop,
  growth,
};
const absent = new Set();
const report = { date: new Date().toISOString(), node: process.version, load: [loadavg()[0]], effort, cases: [] };
const say = (text) => {
  if (!values.json) console.log(text);
};

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    stopAll();
    process.exit(1);
  });
}

try {
  const hub = await startHub();
  for (const group of values.only.split(',')) {
    if (group === 'sessions') {
      report.sessions = await idleSessions();
      const { sessions, bytesEach, bytesWithStream } = report.sessions;
      const [kept, listening] = [bytesEach, bytesWithStream].map((bytes) => (bytes / 1024).toFixed(1));
      say(`\n${sessions} idle sessions: ${kept} KB each, ${listening} KB with an open stream`);
      continue;
    }
    if (group === 'crowd') {
      report.crowd = await idleCrowd();
      const { sessions, bytesEach, cpuShare } = report.crowd;
      const [kib, percent] = [(bytesEach / 1024).toFixed(1), (cpuShare * 100).toFixed(2)];
      say(`\n${sessions} idle sessions, half of them with streams: ${kib} KB each, ${percent} % of a core`);
      continue;
    }
    if (group === 'start') {
      report.start = await firstCalls(effort, absent);
      for (const { name, ms, cpuMs } of report.start.rows) {
        say(`\n${name}: ${ms.toFixed(0)} ms from start to the first answered call, ${cpuMs.toFixed(0)} ms of CPU`);
      }
      continue;
    }
    for await (const found of GROUPS[group](hub, effort, absent)) {
      report.cases.push(found);
      if (!values.json) printRows(found.title, found.rows, found.base);
    }
  }
} finally {
  stopAll();
}

report.load.push(loadavg()[0]);
report.absent = [...absent];
const verdicts = [...report.cases, report.sessions, report.crowd, report.start].flatMap(
  (found) => found?.verdicts ?? [],
);
if (values.json) {
  console.log(JSON.stringify(report));
  process.exitCode = verdicts.every(({ kept }) => kept) ? 0 : 1;
} else {
  if (absent.size > 0) {
    say(`\nnot installed, so not measured: ${report.absent.join(', ')} (npm peers: ${INSTALL_PEERS})`);
  }
  say(`\nload average of the machine before and after: ${report.load.map((load) => load.toFixed(1)).join(', ')}`);
  process.exitCode = printVerdicts(verdicts) ? 0 : 1;
}
