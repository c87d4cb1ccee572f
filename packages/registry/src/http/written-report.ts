import type { WrittenReport } from '../port/check-runs.js';

/** A report quotes what servers say: a browser that opens it must not take it for a page of the hub. */
const POLICY = "sandbox allow-scripts; default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'";

export const writtenReport = ({ contentType, text }: WrittenReport): Response =>
  new Response(text, { headers: { 'Content-Type': contentType, 'Content-Security-Policy': POLICY } });
