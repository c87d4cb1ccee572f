import type { LoadScenario } from '@plugboard/contract';
import { coldStart } from './cold-start.js';
import { exhaustion } from './exhaustion.js';
import { firstCalls } from './first-calls.js';
import type { Scenario } from './ground.js';
import { headOfLine } from './head-of-line.js';
import { list } from './list.js';
import { payload } from './payload.js';
import { ramp } from './ramp.js';
import { single } from './single.js';
import { spike } from './spike.js';
import { steady } from './steady.js';
import { streams } from './streams.js';

/** In this order they run: first what needs a server that nobody has used, last what may break it. */
export const SCENARIOS = {
  'first-calls': firstCalls,
  'cold-start': coldStart,
  single,
  list,
  payload,
  steady,
  'head-of-line': headOfLine,
  streams,
  exhaustion,
  spike,
  ramp,
} as const satisfies Readonly<Record<LoadScenario, Scenario>>;
