/** The path that a request took: the fast one, or the full one and why. */
export type RelayPath = 'fast' | DirectObstacle;

/** Why a request takes the full path, from its beginning or from the middle. */
export type DirectObstacle =
  /** The message is not the plain form of a request that the fast path takes, or its fields need a closer look. */
  | 'message'
  /** There is no such session, or it needs a closer look. */
  | 'session'
  /** The tool is not offered, is the hub's own, or its arguments are mapped. */
  | 'tool'
  /** Lists have to be read to know which of several servers has the prompt or resource. */
  | 'owner'
  /** Larger arguments than may be passed on. */
  | 'arguments'
  /** Parameters of the tool are repeated in HTTP fields. */
  | 'param-headers'
  /** There is no open connection for this client. */
  | 'connection'
  /** Client and server speak different eras or revisions, and the call needs more than another envelope. */
  | 'era'
  /** The server is reached over HTTP+SSE, or a policy needs to see every call. */
  | 'transport'
  /** It has an idempotency key, so it may have been carried out before. */
  | 'idempotency-key'
  /** Results of tools are recorded, which only the full path reads. */
  | 'recorded'
  /** A limit is reached, the circuit is open, or all places are taken. */
  | 'limit'
  /** The answer was not what could be passed on as it came. */
  | 'unusual';
