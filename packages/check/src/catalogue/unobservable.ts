/** A rule that cannot be judged by talking to a server, and why. */
export interface Unobservable {
  readonly id: string;
  readonly rule: string;
  readonly why: string;
}

/** What the catalogue lists and no check judges. */
export const UNOBSERVABLE: readonly Unobservable[] = [
  {
    id: 'STD-09',
    rule: 'A flood on stderr does not block stdout.',
    why: 'It is the client that must read stderr; a server cannot be made to fill it. The referee reads it all the time.',
  },
  {
    id: 'HTP-41',
    rule: 'Closing the stream of an answer cancels the work behind it.',
    why: 'Whether work goes on shows inside the server only: its processor, its log, or a counter that a test fixture has.',
  },
  {
    id: 'PAG-03',
    rule: 'An empty text as cursor is a cursor.',
    why: 'It is the client that must send it back; the walks of PAG-01 and PAG-05 do.',
  },
  {
    id: 'MRT-04',
    rule: 'A state is refused after its time.',
    why: 'No message says how long a state lives, so a test cannot know how long to wait.',
  },
  {
    id: 'SEC-25',
    rule: 'Calls of tools are limited in number.',
    why: 'A limit that is not announced cannot be told from one that is higher than the burst that was tried.',
  },
];
