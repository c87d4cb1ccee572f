// Loaded into a hub before it starts: tells how late its event loop was, what it used of the processor, and how long it
// collected garbage, since it was asked last. With PROFILE it writes a CPU profile of everything between `profile` and `figures`.
import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks';

const MS = 1e6;
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
let collecting = 0;
let cpu = process.cpuUsage();
new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) collecting += duration;
}).observe({ entryTypes: ['gc'] });

const session = new Session();
session.connect();
const profiled = process.env.PROFILE;

const tell = () => {
  const { user, system } = process.cpuUsage(cpu);
  process.send({
    cpuMs: (user + system) / 1000,
    collectingMs: collecting,
    delayP50: delay.percentile(50) / MS,
    delayP99: delay.percentile(99) / MS,
    delayMax: delay.max / MS,
  });
  cpu = process.cpuUsage();
  collecting = 0;
  delay.reset();
};

const onMessage = (message) => {
  if (message === 'profile' && profiled !== undefined) {
    session.post('Profiler.enable');
    session.post('Profiler.setSamplingInterval', { interval: 500 });
    session.post('Profiler.start');
  }
  if (message === 'profiled' && profiled !== undefined) {
    session.post('Profiler.stop', (error, { profile }) => writeFileSync(profiled, JSON.stringify(profile)));
  }
  if (message === 'figures') tell();
};
process.on('message', onMessage);
process.channel?.unref();
