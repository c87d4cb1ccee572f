import type { CheckCall, CheckReport } from '@plugboard/contract';

/** One thing that was or was not called, in words. */
export const callWords = ({ kind, name, calls }: CheckCall): string =>
  `${kind} ${name}${calls === 0 ? '' : ` (${calls} ×)`}`;

/** What may be called and was not is not explained by what allows it. */
const uncalled = (call: CheckCall): CheckCall => (call.may ? { ...call, why: 'no check of this run calls it' } : call);

/** What was called first, then what was not; a dry run tells what may be. */
export const callGroups = (
  report: CheckReport,
): readonly { readonly title: string; readonly calls: readonly CheckCall[] }[] => {
  const calls = report.calls ?? [];
  const dry = report.plan !== undefined;
  const isCalled = (call: CheckCall): boolean => (dry ? call.may : call.calls > 0);
  return [
    { title: dry ? 'Would be called' : 'Called', calls: calls.filter(isCalled) },
    { title: dry ? 'Would not be called' : 'Not called', calls: calls.filter((call) => !isCalled(call)).map(uncalled) },
  ].filter(({ calls: own }) => own.length > 0);
};

/** Calls with the same reason, together. */
export const byReason = (calls: readonly CheckCall[]): ReadonlyMap<string, readonly CheckCall[]> => {
  const reasons = new Map<string, CheckCall[]>();
  for (const call of calls) reasons.set(call.why, [...(reasons.get(call.why) ?? []), call]);
  return reasons;
};

/** The same as plain lines, for formats that have no place of their own for it. */
export const callLines = (report: CheckReport): readonly string[] =>
  callGroups(report).flatMap(({ title, calls }) => calls.map((call) => `${title}: ${callWords(call)}: ${call.why}`));
