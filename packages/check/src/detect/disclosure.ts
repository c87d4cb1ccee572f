import { secretsIn } from './secret.js';

interface Detector {
  readonly kind: string;
  readonly pattern: RegExp;
}

const DETECTORS: readonly Detector[] = [
  {
    kind: 'a stack trace of JavaScript',
    pattern: /^[ \t]*at (?:async )?(?:[\w$.<>[\] ]+ \()?(?:file:\/\/|node:|\/|[A-Z]:\\)[^\s)]*:\d+(?::\d+)?\)?/mu,
  },
  { kind: 'a stack trace of Python', pattern: /Traceback \(most recent call last\)|^[ \t]*File "[^"\n]+", line \d+/mu },
  { kind: 'a stack trace of Java', pattern: /^[ \t]*at [\w$.]+\([\w$]+\.(?:java|kt|scala):\d+\)/mu },
  { kind: 'a stack trace of Go', pattern: /^goroutine \d+ \[[\w ]+\]:/mu },
  { kind: 'a stack trace of .NET', pattern: /^[ \t]*at [\w.<>`]+\([^)\n]*\) in .+:line \d+/mu },
  { kind: 'a panic of Rust', pattern: /thread '[^']+' (?:\(\d+\) )?panicked at/u },
  {
    kind: 'a path of the machine',
    pattern:
      /(?:^|[\s"'(=:])(?:\/(?:home|Users|root|var|opt|srv|usr|etc|app|tmp|private)\/[\w.@+-]+(?:\/[\w.@+-]+)*|[A-Z]:\\(?:Users|Windows|Program Files)\\[\w.\\ -]+)/u,
  },
  {
    kind: 'SQL',
    pattern:
      /\b(?:SELECT\s.{1,120}\sFROM|INSERT\s+INTO\s+\w+\s*\(|UPDATE\s+\w+\s+SET\s|DELETE\s+FROM\s+\w+\s+WHERE)\b/su,
  },
  {
    kind: 'an error of a database',
    pattern: /\b(?:SQLITE_[A-Z]+|ORA-\d{5}|SQLSTATE\[?\w*|PG::\w+Error|ER_[A-Z_]{4,})\b/u,
  },
  {
    kind: 'the name of an exception',
    pattern:
      /\b(?:[a-z]+\.){1,12}[A-Z]\w+(?:Exception|Error)\b|\b(?:ReferenceError|TypeError|NullPointerException|KeyError|AttributeError|IndexError):/u,
  },
  {
    kind: 'an internal address',
    pattern:
      /\b(?:ECONNREFUSED|ENOTFOUND|EHOSTUNREACH)\b.{0,200}?(?:\d{1,3}(?:\.\d{1,3}){3}|[\w-]{1,63}\.(?:internal|local|svc))/u,
  },
  { kind: 'a module of the program', pattern: /node_modules\/[\w@.-]+|site-packages\/[\w.-]+/u },
  { kind: 'the environment', pattern: /\b(?:PATH|HOME|NODE_ENV|AWS_[A-Z_]+|DATABASE_URL)=\S+/u },
];

/** Internals that an error discloses; empty when it is safe. */
export const disclosuresIn = (text: string): readonly string[] => [
  ...DETECTORS.filter(({ pattern }) => pattern.test(text)).map(({ kind }) => kind),
  ...secretsIn(text),
];
