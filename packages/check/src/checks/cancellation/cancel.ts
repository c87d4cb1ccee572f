import { notApplicable } from '../../model/finding.js';
import type { Probe } from '../../probe/probe.js';
import type { Session } from '../../session/session.js';

export const BY_CLOSING = notApplicable('Over HTTP the modern era cancels by closing the stream.');

/** There is a notification for it everywhere but over HTTP in the modern era. */
export const byNotification = (probe: Probe): boolean =>
  !(probe.era === 'modern' && probe.transport === 'streamable-http');

export const cancel = (session: Session, requestId: unknown): Promise<unknown> =>
  session.notify('notifications/cancelled', { requestId, reason: 'a check' });
