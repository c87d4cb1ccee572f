// Tables of ratios, and what the budgets say of them.
const ratio = (value, of) => (of === 0 || !Number.isFinite(value / of) ? '–' : (value / of).toFixed(2));

export const printRows = (title, rows, base = 'undici proxy') => {
  const to = rows.find(({ name }) => name === base) ?? rows[0];
  console.log(`\n${title}`);
  console.log(
    `| | CPU/request | × ${to.name} | requests/s | × ${to.name} | p50 | p99 |\n|---|---|---|---|---|---|---|`,
  );
  for (const { name, cpuUs, perSecond, p50Ms, p99Ms } of rows) {
    const cpu = cpuUs === 0 ? '–' : `${cpuUs.toFixed(0)} µs`;
    const times = cpuUs === 0 ? '–' : ratio(cpuUs, to.cpuUs);
    console.log(
      `| ${name} | ${cpu} | ${times} | ${perSecond.toFixed(0)} | ${ratio(perSecond, to.perSecond)} | ${p50Ms.toFixed(2)} ms | ${p99Ms.toFixed(2)} ms |`,
    );
  }
};

/** Prints each budget and whether it is kept; false when one is not. */
export const printVerdicts = (verdicts) => {
  console.log('\nbudgets');
  for (const { what, value, limit, kind, kept } of verdicts) {
    console.log(`${kept ? 'kept    ' : 'exceeded'}  ${what}: ${value.toFixed(2)} (${kind} ${limit})`);
  }
  return verdicts.every(({ kept }) => kept);
};

export const verdict = (what, value, kind, limit) => ({
  what,
  value,
  kind,
  limit,
  kept: kind === 'at most' ? value <= limit : value >= limit,
});
