import type { CheckReport } from '@plugboard/contract';

export const jsonReport = (report: CheckReport): string => `${JSON.stringify(report, null, 2)}\n`;
