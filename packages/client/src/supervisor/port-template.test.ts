import { describe, expect, it } from 'vitest';
import { withPort } from './port-template.js';

describe('withPort', () => {
  it('fills every form of the placeholder and sets PORT', () => {
    const spec = {
      command: '${PORT}',
      args: ['--port={{PORT}}', '{{ PORT }}', '${PORT}${PORT}', '$PORT', '{{PORTS}}'],
      env: { BASE_URL: 'http://localhost:{{PORT}}/' },
    };
    expect(withPort(spec, 81)).toEqual({
      command: '${PORT}',
      args: ['--port=81', '81', '8181', '$PORT', '{{PORTS}}'],
      env: { PORT: '81', BASE_URL: 'http://localhost:81/' },
    });
  });

  it('leaves a PORT that was configured alone', () => {
    expect(withPort({ command: 'a', args: [], env: { PORT: '7{{PORT}}' } }, 81).env).toEqual({ PORT: '781' });
  });
});
