import type { Check } from '../../model/check.js';
import { declaredByEra, tasksOnlyWhereMeant, undeclaredRefused, wellBegun } from './creation.js';
import { canBeCancelled, legalStates, resultArrives } from './life.js';
import { answersReachTask, livesItsTime, manyTasks, survivesConnection, unknownTask } from './reach.js';

export const taskChecks: readonly Check[] = [
  declaredByEra,
  wellBegun,
  legalStates,
  resultArrives,
  canBeCancelled,
  unknownTask,
  undeclaredRefused,
  answersReachTask,
  livesItsTime,
  tasksOnlyWhereMeant,
  survivesConnection,
  manyTasks,
];
