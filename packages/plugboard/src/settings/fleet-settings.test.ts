import { hostname } from 'node:os';
import { describe, expect, it } from 'vitest';
import { fleetSettings } from './fleet-settings.js';

describe('fleetSettings', () => {
  it('stay on this machine for a hub that does', () => {
    expect(fleetSettings()).toEqual({ host: '127.0.0.1', port: 0, url: 'http://127.0.0.1:{port}' });
  });

  it('name this machine for a hub that others reach', () => {
    expect(fleetSettings({}, {}, '0.0.0.0')).toEqual({ host: '0.0.0.0', port: 0, url: `http://${hostname()}:{port}` });
  });

  it('come from the environment before the file', () => {
    const file = { host: '10.0.0.1', port: 1, url: 'http://of-the-file:1/' };
    expect(fleetSettings(file)).toEqual({ host: '10.0.0.1', port: 1, url: 'http://of-the-file:1' });
    const environment = { fleetHost: '10.0.0.2', fleetPort: 2, fleetUrl: 'http://pod:2' };
    expect(fleetSettings(file, environment)).toEqual({ host: '10.0.0.2', port: 2, url: 'http://pod:2' });
  });
});
