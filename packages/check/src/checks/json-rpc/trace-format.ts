/** How W3C Trace Context and Baggage write their fields. */
export const TRACE_FORMATS: Readonly<Record<string, RegExp>> = {
  traceparent: /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-.*)?$/u,
  tracestate:
    /^[a-z0-9][a-z0-9_\-*/@]{0,255}=[\u0020-\u002b\u002d-\u007e]*(?:\t*,[\t ]*[a-z0-9][a-z0-9_\-*/@]{0,255}=[\u0020-\u002b\u002d-\u007e]*)*$/u,
  baggage: /^[^\s=,;]+\s*=\s*[^\s,;]*(?:\s*[,;]\s*[^\s=,;]+(?:\s*=\s*[^\s,;]*)?)*$/u,
};
