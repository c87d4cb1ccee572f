import type { StockToolName } from '../definition/stock-tool-name.js';
import type { FakeTool } from '../definition/tool.js';
import { add, big, echo, fail, headers } from './plain-tools.js';
import { counter } from './counter-tool.js';
import { allocate, crash, env, pid, stderr } from './process-tools.js';
import { elicit, roots, sample } from './asking-tools.js';
import { hang, log, progress, sleep } from './waiting-tools.js';

const STOCK: Readonly<Record<StockToolName, FakeTool>> = {
  echo,
  add,
  counter,
  sleep,
  hang,
  progress,
  log,
  elicit,
  sample,
  roots,
  env,
  pid,
  headers,
  crash,
  fail,
  big,
  stderr,
  allocate,
};

export const stockTool = (name: StockToolName): FakeTool => STOCK[name];
