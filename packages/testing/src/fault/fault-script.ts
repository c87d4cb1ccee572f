import { NO_FAULT, type Fault } from './fault.js';
import { FaultRule } from './fault-rule.js';
import type { ScriptRule } from './script-rule.js';

interface ActiveRule {
  readonly rule: () => ScriptRule;
  seen: number;
}

const applies = (rule: ScriptRule, method: string, name: string | undefined): boolean =>
  (rule.on === method || (rule.on === '*' && method !== 'connection')) &&
  (rule.name === undefined || rule.name === name);

/** The programmable part of a fake: which messages meet which fault. */
export class FaultScript {
  #rules: ActiveRule[] = [];

  constructor(rules: readonly ScriptRule[] = []) {
    for (const rule of rules) this.add(rule);
  }

  add(rule: ScriptRule): this {
    this.#rules.push({ rule: () => rule, seen: 0 });
    return this;
  }

  /** `script.on('tools/call').first().respondStatus(404)` */
  on(method: string, match: { readonly name?: string } = {}): FaultRule {
    const rule = new FaultRule({ on: method, ...match });
    this.#rules.push({ rule: () => rule.toRule(), seen: 0 });
    return rule;
  }

  clear(): void {
    this.#rules = [];
  }

  /** The rules as JSON, for `fakeServerCommand({ script: script.rules })`. */
  get rules(): readonly ScriptRule[] {
    return this.#rules.map((active) => active.rule());
  }

  /** Counts the message and gives what befalls it. */
  take(method: string, name?: string): Fault {
    let fault = NO_FAULT;
    for (const active of this.#rules) {
      const rule = active.rule();
      if (!applies(rule, method, name)) continue;
      active.seen += 1;
      if (active.seen < (rule.from ?? 1) || active.seen > (rule.to ?? Number.POSITIVE_INFINITY)) continue;
      fault = { ...fault, ...rule.fault };
    }
    return fault;
  }
}
