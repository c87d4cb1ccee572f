import {
  checkReport,
  type CheckReport,
  type CheckRunEvent,
  checkRunEvent,
  type CheckTarget,
} from '@plugboard/contract';
import { z } from 'zod';
import type { HubApi } from '../hub-api.js';
import { readAnswer } from '../read-answer.js';

const CHECKS = '/v1/checks';
const CANCEL_MS = 15_000;
/** Beyond the time that the run itself may take, for waiting its turn. */
const TURN_MS = 600_000;

const started = z.looseObject({ id: z.string() });

/** What commands ask of the hub's referee. */
export interface CheckClient {
  start(target: CheckTarget): Promise<string>;
  /** Hands on every event, until the run has ended. */
  follow(id: string, target: CheckTarget, onEvent: (event: CheckRunEvent) => void): Promise<void>;
  report(id: string): Promise<CheckReport>;
  /** Also when this program is about to end. */
  cancel(id: string): Promise<void>;
  forget(id: string): Promise<void>;
}

export const checkClient = (api: HubApi): CheckClient => {
  const at = (id: string, rest = ''): string => `${CHECKS}/${encodeURIComponent(id)}${rest}`;
  return {
    start: async (body) => readAnswer(started, await api.request('POST', CHECKS, { body }), 'a run').id,
    follow: async (id, { budgets }, onEvent) => {
      const deadlineMs = budgets.runMs + TURN_MS;
      for await (const json of api.events(at(id, '/events'), { deadlineMs })) {
        const event = checkRunEvent.safeParse(json);
        if (event.success) onEvent(event.data);
      }
    },
    report: async (id) => readAnswer(checkReport, await api.request('GET', at(id, '/report')), 'a run'),
    cancel: async (id) =>
      void (await api.request('POST', at(id, '/cancel'), { deadlineMs: CANCEL_MS, evenWhenStopping: true })),
    forget: async (id) => void (await api.request('DELETE', at(id))),
  };
};
