import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { configFile } from '../../../packages/plugboard/src/settings/config-file.js';
import { root } from '../../architecture/source.js';
import { deployProgramFile } from '../../support/test-program.js';
import { type Helm, isHelmHere, unpackHelm } from './helm.js';

const run = promisify(execFile);
const file = (...path: string[]): string => join(root, 'deploy', ...path);
const read = (...path: string[]): Promise<string> => readFile(file(...path), 'utf8');

interface Instruction {
  readonly name: string;
  readonly rest: string;
}

const instructionsOf = (text: string): readonly Instruction[] =>
  text
    .replaceAll(/^#.*$/gmu, '')
    .replaceAll(/\\\n\s*/gu, ' ')
    .split('\n')
    .flatMap((line) => {
      const [, name, rest] = /^([A-Z]+)\s+(.*)$/u.exec(line.trim()) ?? [];
      return name === undefined || rest === undefined ? [] : [{ name, rest }];
    });

interface Complaint {
  readonly message: string;
  readonly range: { readonly start: { readonly line: number } };
}

/** What a linter of Dockerfiles says. */
const lint = (text: string): readonly string[] => {
  const path = deployProgramFile('dockerfile-utils/lib/main.js');
  const { validate } = createRequire(path)(path) as { validate: (text: string) => readonly Complaint[] };
  return validate(text).map(({ message, range }) => `line ${range.start.line + 1}: ${message}`);
};

describe('the Dockerfile', () => {
  it('passes a lint, which finds what is wrong in a copy', async () => {
    const text = await read('docker', 'Dockerfile');
    expect(lint(text)).toEqual([]);
    expect(lint(text.replace('EXPOSE 2091', 'EXPOSE http'))).toHaveLength(1);
    expect(lint(text.replace('--retries=3', '--retry=3'))).toHaveLength(1);
    expect(lint(text.replace('USER node', 'USERR node'))).toHaveLength(1);
  });

  it('keeps the rules of a small and safe image', async () => {
    const all = instructionsOf(await read('docker', 'Dockerfile'));
    const stages = all.filter(({ name }) => name === 'FROM');
    expect(stages).toHaveLength(2);
    for (const { rest } of stages) expect(rest).toMatch(/^node:\d+-bookworm-slim(?: AS build)?$/u);
    const last = all.slice(all.findLastIndex(({ name }) => name === 'FROM'));
    const only = (wanted: string) => last.filter(({ name }) => name === wanted).map(({ rest }) => rest);
    expect(only('USER')).toEqual(['node']);
    expect(last.findIndex(({ name }) => name === 'USER')).toBeLessThan(
      last.findIndex(({ name }) => name === 'ENTRYPOINT'),
    );
    expect(last.some(({ name }) => name === 'ADD')).toBe(false);
    expect(only('RUN').join(' ')).not.toMatch(/sudo|curl|apt-get(?!.*--no-install-recommends)/u);
    for (const wanted of ['ENTRYPOINT', 'CMD']) expect(Array.isArray(JSON.parse(only(wanted)[0] ?? ''))).toBe(true);
    expect(only('HEALTHCHECK')[0]).toMatch(/CMD \["node", "\/app\/healthcheck\.mjs"\]$/u);
    expect(only('EXPOSE')).toEqual(['2091 2092']);
  });

  it('packs every package that is published', async () => {
    const text = await read('docker', 'Dockerfile');
    const packed = [...text.matchAll(/--workspace=packages\/(\w+)/gu)].map((match) => match[1] ?? '');
    const folders = await readdir(join(root, 'packages'));
    const published = await Promise.all(
      folders.map(async (folder) => {
        const manifest = await readFile(join(root, 'packages', folder, 'package.json'), 'utf8');
        return (JSON.parse(manifest) as { private?: boolean }).private !== true;
      }),
    );
    expect(packed.toSorted()).toEqual(folders.filter((_folder, index) => published[index]).toSorted());
  });

  it('has an entry point that exists in the package', async () => {
    const entry = instructionsOf(await read('docker', 'Dockerfile')).find(({ name }) => name === 'ENTRYPOINT');
    const [, path = ''] = JSON.parse(entry?.rest ?? '[]') as string[];
    const inside = path.replace('/app/node_modules/plugboard/', '');
    const { stdout } = await run(process.execPath, [join(root, 'packages', 'plugboard', inside), '--version']);
    expect(stdout).toMatch(/^\d+\.\d+\.\d+/u);
  });
});

describe('the container, as processes', () => {
  const command = async (): Promise<{ readonly env: Record<string, string>; readonly argv: readonly string[] }> => {
    const all = instructionsOf(await read('docker', 'Dockerfile'));
    const restOf = (wanted: string): string => all.findLast(({ name }) => name === wanted)?.rest ?? '';
    const env = Object.fromEntries(
      [...restOf('ENV').matchAll(/(\w+)=(\S+)/gu)].map(([, name, value]) => [name, value]),
    );
    const argv = ['ENTRYPOINT', 'CMD'].flatMap((wanted) => JSON.parse(restOf(wanted)) as string[]);
    return { env, argv };
  };

  it('start by the entry point, become healthy, and end when they are told to', { timeout: 60_000 }, async () => {
    const { env, argv } = await command();
    expect(env).toMatchObject({ PLUGBOARD_HOST: '0.0.0.0', PLUGBOARD_PORT: '2091', PLUGBOARD_FLEET_PORT: '2092' });
    const home = await mkdtemp(join(tmpdir(), 'plugboard-container-'));
    const [, entry = '', ...rest] = argv;
    const program = join(root, entry.replace('/app/node_modules/plugboard/', 'packages/plugboard/'));
    // The same but for what would be in the way of other tests on this machine.
    const own = { PLUGBOARD_HOME: home, PLUGBOARD_HOST: '127.0.0.1', PLUGBOARD_PORT: '0', PLUGBOARD_FLEET_PORT: '0' };
    const child = spawn(process.execPath, [program, ...rest], {
      cwd: home,
      env: { PATH: process.env['PATH'], ...env, ...own, PLUGBOARD_ADMIN_KEY: `pb_${'a'.repeat(40)}` },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    onTestFinished(async () => {
      child.kill('SIGKILL');
      await rm(home, { recursive: true, force: true, maxRetries: 5 });
    });
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
    child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
    await expect.poll(() => said, { timeout: 30_000 }).toMatch(/running at http:\S+:\d+/u);
    const port = /running at http:\S+:(\d+)/u.exec(said)?.[1] ?? '';
    const health = async (): Promise<number | undefined> => {
      const asked = spawn(process.execPath, [file('docker', 'healthcheck.mjs')], { env: { PLUGBOARD_PORT: port } });
      const [code] = (await once(asked, 'exit')) as [number | undefined];
      return code;
    };
    expect(await health()).toBe(0);
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
    expect(await health()).toBe(1);
  });
});

describe('the health check', () => {
  const check = (port: number): Promise<number> =>
    run(process.execPath, [file('docker', 'healthcheck.mjs'), String(port)]).then(
      () => 0,
      (failure: { code: number }) => failure.code,
    );
  const serve = async (status: number): Promise<number> => {
    const server = createServer((request, response) => {
      response.writeHead(request.url === '/health' ? status : 404).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    return (server.address() as { port: number }).port;
  };

  it('is 0 for a program that is well, and 1 for one that is not or is not there', async () => {
    expect(await check(await serve(200))).toBe(0);
    expect(await check(await serve(503))).toBe(1);
    expect(await check(1)).toBe(1);
  });
});

interface Compose {
  readonly services: Readonly<
    Record<
      string,
      {
        readonly command?: readonly string[];
        readonly entrypoint?: readonly string[];
        readonly healthcheck?: { readonly test: readonly string[] };
        readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
        readonly environment?: Readonly<Record<string, string>>;
        readonly ports?: readonly string[];
      }
    >
  >;
}

describe.each(['replicas.yaml', 'reference.yaml'])('the compose file %s', (name) => {
  it('names only services that it has, waits for those that are healthy, and publishes on this machine', async () => {
    const { services } = parse(await read('compose', name), { merge: true }) as Compose;
    for (const service of Object.values(services)) {
      for (const [needed, { condition }] of Object.entries(service.depends_on ?? {})) {
        expect(Object.keys(services)).toContain(needed);
        expect(condition).toBe('service_healthy');
      }
      for (const port of service.ports ?? []) expect(port).toMatch(/^127\.0\.0\.1:/u);
    }
  });
});

describe('the replicas', () => {
  it('are two with the same database and key, and nginx knows both', async () => {
    const { services } = parse(await read('compose', 'replicas.yaml'), { merge: true }) as Compose;
    const hubs = Object.keys(services).filter((name) => name.startsWith('hub-'));
    expect(hubs).toEqual(['hub-1', 'hub-2']);
    expect(services['hub-1']?.environment).toEqual(services['hub-2']?.environment);
    const nginx = await read('compose', 'nginx.conf');
    for (const hub of hubs) expect(nginx).toContain(`server ${hub}:2091`);
    // A call that was sent must not be sent to another replica.
    expect(nginx).not.toContain('non_idempotent');
  });
});

const PORTS = { documents: '3020', collections: '7071', sandbox: '7072' };

describe('the reference composition', () => {
  it.each(Object.entries(PORTS))('runs %s on its port, with a health check', async (name, port) => {
    const { services } = parse(await read('compose', 'reference.yaml'), { merge: true }) as Compose;
    const service = services[name];
    expect(service?.command).toEqual(expect.arrayContaining(['--port', port]));
    expect(service?.healthcheck?.test).toEqual(['CMD', 'node', '/app/healthcheck.mjs', port]);
    const [, program = ''] = service?.entrypoint ?? [];
    const inside = program.replace('/app/node_modules/@plugboard/servers/', '');
    const { stdout } = await run(process.execPath, [join(root, 'packages', 'servers', inside), '--help']);
    for (const flag of service?.command?.filter((word) => word.startsWith('--')) ?? []) expect(stdout).toContain(flag);
    const unit = await read('systemd', `plugboard-${name}.service`);
    expect(unit).toContain(`--port ${port}`);
  });

  it.each(['compose/reference.json', 'systemd/plugboard.json'])(
    'has a configuration that the hub accepts: %s',
    async (path) => {
      const config = configFile.parse(JSON.parse(await read(path)));
      expect(Object.keys(config.mcpServers ?? {})).toEqual(Object.keys(PORTS));
      for (const [name, port] of Object.entries(PORTS)) {
        expect(JSON.stringify(config.mcpServers?.[name])).toContain(`:${port}/mcp`);
      }
    },
  );
});

describe('the systemd units', () => {
  it('run without privileges and start again after a failure', async () => {
    const units = (await readdir(file('systemd'))).filter((name) => name.endsWith('.service'));
    expect(units).toHaveLength(4);
    for (const unit of units) {
      const text = await read('systemd', unit);
      for (const line of ['DynamicUser=yes', 'NoNewPrivileges=yes', 'ProtectSystem=strict', 'Restart=on-failure']) {
        expect(text).toContain(line);
      }
    }
  });
});

const verifies = await run('systemd-analyze', ['--version']).then(
  () => true,
  () => false,
);

describe.skipIf(!verifies)('systemd', () => {
  const verify = async (change: (unit: string) => string): Promise<string> => {
    const directory = await mkdtemp(join(tmpdir(), 'plugboard-units-'));
    onTestFinished(() => rm(directory, { recursive: true, force: true }));
    const units = (await readdir(file('systemd'))).filter((name) => name.endsWith('.service'));
    for (const unit of units) {
      const text = (await read('systemd', unit)).replaceAll('/usr/bin/node', process.execPath);
      await writeFile(join(directory, unit), change(text));
    }
    const paths = units.map((unit) => join(directory, unit));
    const { stderr } = await run('systemd-analyze', ['verify', ...paths]).catch(
      (failure: { stderr: string }) => failure,
    );
    return stderr;
  };

  it('has nothing to say about the units', async () => {
    expect(await verify((unit) => unit)).toBe('');
    expect(await verify((unit) => unit.replace('Restart=', 'Restrat='))).toContain('Restrat');
  });
});

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: Readonly<Record<string, unknown>>;
}

describe.skipIf(!isHelmHere)('the Helm chart', () => {
  const CHART = file('helm', 'plugboard');
  let helm: Helm;
  beforeAll(async () => {
    helm = await unpackHelm();
  });
  afterAll(() => helm[Symbol.asyncDispose]());

  const render = async (...values: string[]): Promise<ReadonlyMap<string, Manifest>> => {
    const text = await helm.run('template', 'hub', CHART, ...values.flatMap((value) => ['--set', value]));
    const manifests = parseAllDocuments(text).map((document) => document.toJS() as Manifest);
    return new Map(manifests.map((manifest) => [manifest.kind, manifest]));
  };

  it('passes the lint of Helm, which finds what is wrong in a copy', { timeout: 60_000 }, async () => {
    expect(await helm.run('lint', '--strict', CHART)).toContain('0 chart(s) failed');
    const copy = await mkdtemp(join(tmpdir(), 'plugboard-chart-'));
    onTestFinished(() => rm(copy, { recursive: true, force: true }));
    await cp(CHART, copy, { recursive: true });
    const service = join(copy, 'templates', 'service.yaml');
    await writeFile(service, (await readFile(service, 'utf8')).replaceAll('{{', '{ {'));
    await expect(helm.run('lint', '--strict', copy)).rejects.toMatchObject({
      stdout: expect.stringContaining('templates/service.yaml') as string,
    });
  });

  it('has a deployment with probes and without root, a service, an autoscaler, a disruption budget and a network policy', async () => {
    const manifests = await render();
    expect([...manifests.keys()].toSorted()).toEqual([
      'Deployment',
      'HorizontalPodAutoscaler',
      'NetworkPolicy',
      'PodDisruptionBudget',
      'Service',
    ]);
    for (const { metadata } of manifests.values()) expect(metadata.name).toBe('hub');
    const template = manifests.get('Deployment')?.spec['template'] as
      | { metadata: { labels: Record<string, string> }; spec: Record<string, unknown> }
      | undefined;
    const pod = template?.spec ?? {};
    const [container] = pod['containers'] as Record<string, { httpGet?: { path: string } }>[];
    expect(pod['securityContext']).toMatchObject({ runAsNonRoot: true });
    expect(container).toMatchObject({
      image: 'plugboard:0.1.0',
      startupProbe: { httpGet: { path: '/health' } },
      livenessProbe: { httpGet: { path: '/health' } },
      readinessProbe: { httpGet: { path: '/health' } },
      securityContext: { readOnlyRootFilesystem: true },
      resources: { requests: { cpu: '500m' } },
    });
    expect(JSON.stringify(container)).toContain('http://$(POD_IP):2092');
    // All of them are about the same pods.
    const labels = template?.metadata.labels;
    expect(labels).toEqual({ 'app.kubernetes.io/name': 'plugboard', 'app.kubernetes.io/instance': 'hub' });
    expect(manifests.get('Service')?.spec['selector']).toEqual(labels);
    for (const [kind, field] of [
      ['Deployment', 'selector'],
      ['PodDisruptionBudget', 'selector'],
      ['NetworkPolicy', 'podSelector'],
    ] as const) {
      expect(manifests.get(kind)?.spec[field]).toEqual({ matchLabels: labels });
    }
  });

  it('has a fixed number of replicas without an autoscaler', async () => {
    const manifests = await render('autoscaling.enabled=false', 'publicUrl=https://hub.example');
    expect(manifests.has('HorizontalPodAutoscaler')).toBe(false);
    expect(manifests.get('Deployment')?.spec['replicas']).toBe(2);
    expect(JSON.stringify(manifests.get('Deployment'))).toContain('https://hub.example');
  });
});
