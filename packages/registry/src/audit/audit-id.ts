import type { AuditId } from '@plugboard/contract';
import { timeIds } from '../store/time-id.js';

/** Ids of audit entries, which sort by time. */
export const auditIds = (): ((epochMs: number) => AuditId) => timeIds('audit');
