import { Counter, Gauge, type Registry } from 'prom-client';

/** How near the hub is to what it can take. */
export interface PressureFigures {
  readonly budgetBytes: number;
  /** What messages on their way take. */
  readonly messageBytes: number;
  /** Is new work rejected? */
  readonly isTight: boolean;
  /** How often, and for how long, nothing else could happen. */
  readonly loopBlocked: number;
  readonly loopBlockedSeconds: number;
}

export const addPressureMetrics = (registry: Registry, figures: () => PressureFigures): void => {
  const registers = [registry];
  const gauge = (name: string, help: string, read: (now: PressureFigures) => number): void => {
    const made: Gauge = new Gauge({ name, help, registers, collect: () => made.set(read(figures())) });
  };
  const counter = (name: string, help: string, read: (now: PressureFigures) => number): void => {
    const made: Counter = new Counter({
      name,
      help,
      registers,
      collect: () => {
        made.reset();
        made.inc(read(figures()));
      },
    });
  };
  gauge('plugboard_memory_budget_bytes', 'Memory in use beyond which new work is rejected.', (now) => now.budgetBytes);
  gauge('plugboard_message_bytes', 'Memory of large messages on their way.', (now) => now.messageBytes);
  gauge('plugboard_overloaded', 'Whether new work is rejected (1) or not (0).', (now) => Number(now.isTight));
  counter(
    'plugboard_event_loop_blocked_total',
    'How often the event loop was blocked for more than 200 ms.',
    (now) => now.loopBlocked,
  );
  counter(
    'plugboard_event_loop_blocked_seconds_total',
    'The total time for which the event loop was blocked, in blocks of more than 200 ms.',
    (now) => now.loopBlockedSeconds,
  );
};
