// network addresses
export { addressKind, type AddressKind } from './address/address-kind.js';
export { ipFamily, type IpFamily } from './address/ip-family.js';
export { isLoopbackHost } from './address/loopback-host.js';
export { NetworkSet } from './address/network-set.js';
export { parseNetwork, type Network } from './address/network.js';
export { plainHost } from './address/plain-host.js';
export { unmappedAddress } from './address/unmapped-address.js';
// bytes
export { ByteParts } from './bytes/byte-parts.js';
export { collectBytes, type CollectOptions } from './bytes/collect-bytes.js';
export { DEFAULT_MAX_LINE_BYTES, LineSplitter, type LineSplitterOptions } from './bytes/line-splitter.js';
export { GrowingBytes } from './bytes/growing-bytes.js';
export { pageBytes, releasePageBytes } from './bytes/page-bytes.js';
export { strictUtf8 } from './bytes/strict-utf8.js';
// bounded concurrency
export { eachAtMost } from './concurrency/each-at-most.js';
export { createFairQueue } from './concurrency/fair-queue.js';
export { LimitedQueue } from './concurrency/limited-queue.js';
// files
export { hasErrorCode } from './file/error-code.js';
export { fileExists } from './file/file-exists.js';
export { isWithin } from './file/is-within.js';
// JSON
export { definedMembers } from './json/defined-members.js';
export { isJsonObject, type JsonObject } from './json/json-object.js';
export { exceededJsonBound, type JsonBounds } from './json/json-bounds.js';
export { tryJson } from './json/try-json.js';
// text
export { cookiesIn } from './text/cookies.js';
export { nearest } from './text/nearest.js';
// waits
export { anySignal } from './wait/any-signal.js';
export { deadlineSignal } from './wait/deadline-signal.js';
export { deferred, type Deferred } from './wait/deferred.js';
export { LightAbort, nativeSignal } from './wait/light-abort.js';
export { linkSignals } from './wait/linked-signal.js';
export { madeOnce } from './wait/made-once.js';
export { pause } from './wait/pause.js';
export { settledWithin } from './wait/settled-within.js';
export { untilAborted } from './wait/until-aborted.js';
export { SingleFlight, type SingleFlightOptions } from './wait/single-flight.js';
export { abortable, type AbortFailure } from './wait/abortable.js';
export { withDeadline, type DeadlineOptions } from './wait/with-deadline.js';
