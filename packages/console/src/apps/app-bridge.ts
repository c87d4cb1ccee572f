import { isJson, type Json, textIn } from '../api/json.js';

/** What an app may ask of the page that shows it. Each may refuse by throwing. */
export interface AppHost {
  callTool(name: string, args: Json): Promise<unknown>;
  readResource(uri: string): Promise<unknown>;
  openLink(url: string): Promise<void>;
  resize(height: number): void;
  log(text: string): void;
}

export interface AppBridgeOptions {
  readonly host: AppHost;
  readonly send: (message: object) => void;
  readonly context: Json;
}

const PROTOCOL = '2026-01-26';
const METHOD_NOT_FOUND = -32_601;
const REFUSED = -32_000;
/** An app that asks for more at once is refused. */
const MAX_OPEN = 8;

/** The side of the host in the protocol of MCP Apps. It does only what is listed here, whatever an app sends. */
export class AppBridge {
  readonly #options: AppBridgeOptions;
  readonly #waiting: object[] = [];
  #initialized = false;
  #open = 0;

  constructor(options: AppBridgeOptions) {
    this.#options = options;
  }

  /** Nothing is sent to an app before it is initialized. */
  notify(method: string, params: Json): void {
    const message = { jsonrpc: '2.0', method, params };
    if (this.#initialized) this.#options.send(message);
    else this.#waiting.push(message);
  }

  receive(message: unknown): void {
    if (!isJson(message) || message['jsonrpc'] !== '2.0' || typeof message['method'] !== 'string') return;
    const { id, method } = message as { readonly id?: unknown; readonly method: string };
    const params = isJson(message['params']) ? message['params'] : {};
    if (typeof id === 'string' || typeof id === 'number') void this.#answer(id, method, params);
    else if (id === undefined) this.#hear(method, params);
  }

  #hear(method: string, params: Json): void {
    const { host, send } = this.#options;
    if (method === 'ui/notifications/initialized') {
      this.#initialized = true;
      for (const message of this.#waiting.splice(0)) send(message);
    } else if (method === 'ui/notifications/size-changed') {
      if (typeof params['height'] === 'number') host.resize(params['height']);
    } else if (method === 'notifications/message') {
      host.log(
        `${textIn(params['level']) || 'info'}: ${textIn(params['data']) || (JSON.stringify(params['data']) ?? '')}`,
      );
    }
  }

  async #answer(id: string | number, method: string, params: Json): Promise<void> {
    const { send } = this.#options;
    if (this.#open >= MAX_OPEN) {
      send({ jsonrpc: '2.0', id, error: { code: REFUSED, message: 'Too many requests at once.' } });
      return;
    }
    this.#open += 1;
    try {
      const result = await this.#perform(method, params);
      const unknown = { error: { code: METHOD_NOT_FOUND, message: 'This host does not support the method.' } };
      send({ jsonrpc: '2.0', id, ...(result === undefined ? unknown : { result }) });
    } catch (thrown) {
      const message = thrown instanceof Error ? thrown.message : 'Refused.';
      send({ jsonrpc: '2.0', id, error: { code: REFUSED, message } });
    } finally {
      this.#open -= 1;
    }
  }

  /** Undefined for a method that is not supported. */
  async #perform(method: string, params: Json): Promise<unknown> {
    const { host, context } = this.#options;
    switch (method) {
      case 'ping':
        return {};
      case 'ui/initialize':
        return {
          protocolVersion: PROTOCOL,
          hostInfo: { name: 'plugboard-console', version: '1' },
          hostCapabilities: { openLinks: {}, serverTools: {}, serverResources: {}, logging: {}, sandbox: {} },
          hostContext: context,
        };
      case 'tools/call':
        return await host.callTool(textIn(params['name']), isJson(params['arguments']) ? params['arguments'] : {});
      case 'resources/read':
        return await host.readResource(textIn(params['uri']));
      case 'ui/open-link':
        await host.openLink(textIn(params['url']));
        return {};
      case 'ui/request-display-mode':
        return { mode: 'inline' };
      case 'ui/message':
      case 'ui/update-model-context':
        throw new Error('There is no conversation here.');
      default:
        return undefined;
    }
  }
}
