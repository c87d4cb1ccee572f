import { describe, expect, it } from 'vitest';
import { errorLine } from './error-line.js';

const NODE = `node:internal/modules/cjs/loader:1210
  throw err;
  ^

Error: Cannot find module './no-such-module'
Require stack:
- /srv/bad.cjs
    at Module._resolveFilename (node:internal/modules/cjs/loader:1207:15)
    at Module._load (node:internal/modules/cjs/loader:1038:27) {
  code: 'MODULE_NOT_FOUND',
  requireStack: [ '/srv/bad.cjs' ]
}

Node.js v20.20.2`;

const NODE_CODE = `file:///srv/a.mjs:1
import 'x';
^^^^^^^^^^^

TypeError [ERR_INVALID_ARG_TYPE]: The "path" argument must be of type string
    at a (node:fs:1:1)

Node.js v20.20.2`;

const PYTHON = `Starting the server
Traceback (most recent call last):
  File "/srv/a.py", line 3, in <module>
    main()
KeyError: 'first'

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "/srv/a.py", line 5, in <module>
    raise RuntimeError("no database")
RuntimeError: no database`;

const GO = `2026/01/01 starting
panic: runtime error: index out of range [1] with length 1

goroutine 1 [running]:
main.main()
	/srv/main.go:5 +0x1b
exit status 2`;

describe('the line that says why a program ended', () => {
  it.each([
    ['the error of Node', NODE, "Error: Cannot find module './no-such-module'"],
    [
      'an error of Node with a code',
      NODE_CODE,
      'TypeError [ERR_INVALID_ARG_TYPE]: The "path" argument must be of type string',
    ],
    ['the last error of a chain in Python', PYTHON, 'RuntimeError: no database'],
    ['a panic of Go', GO, 'panic: runtime error: index out of range [1] with length 1'],
    ['a complaint without a stack', 'Hello\nusage: x\nAPI_KEY is missing\nbye', 'API_KEY is missing'],
    ['the last line of a program that does not complain', 'one\ntwo\n', 'two'],
  ])('is %s', (_what, text, expected) => {
    expect(errorLine(text.split('\n'))).toBe(expected);
  });

  it('is none when nothing was written', () => {
    expect(errorLine([])).toBeUndefined();
    expect(errorLine(['', '  '])).toBeUndefined();
  });
});
