/** Collections in the style of what people publish, each around one thing that scripts and requests do. */

type Item = Readonly<Record<string, unknown>>;

const event = (listen: 'prerequest' | 'test', code: string): Item => ({
  listen,
  script: { type: 'text/javascript', exec: code.trim().split('\n') },
});

interface RequestOptions {
  readonly before?: string;
  readonly more?: object;
  readonly item?: object;
}

const request = (name: string, line: string, test: string, { before, more, item }: RequestOptions = {}): Item => {
  const [method = 'GET', path = '/'] = line.split(' ');
  return {
    name,
    event: [...(before === undefined ? [] : [event('prerequest', before)]), event('test', test)],
    request: { method, header: [], url: { raw: `{{baseUrl}}${path}`, ...urlOf(path) }, ...more },
    ...item,
  };
};

const urlOf = (path: string): object => {
  const [route = '', search = ''] = path.split('?');
  const query = [...new URLSearchParams(search)].map(([key, value]) => ({ key, value }));
  return { host: ['{{baseUrl}}'], path: route.split('/').filter(Boolean), ...(search === '' ? {} : { query }) };
};

const raw = (body: string, language = 'json'): object => ({
  body: { mode: 'raw', raw: body, options: { raw: { language } } },
});

const COLLECTIONS: Readonly<Record<string, { readonly items: readonly Item[]; readonly more?: object }>> = {
  'response-assertions': {
    items: [
      request(
        'Echo',
        'GET /get?a=1&b=two',
        `
pm.test('status', () => pm.response.to.have.status(200));
pm.test('status by name', () => pm.response.to.have.status('OK'));
pm.test('ok', () => pm.response.to.be.ok);
pm.test('json', () => pm.response.to.be.json);
pm.test('header', () => pm.response.to.have.header('content-type', 'application/json; charset=utf-8'));
pm.test('body property', () => pm.response.to.have.jsonBody('args.a', '1'));
pm.test('args', () => pm.expect(pm.response.json().args).to.eql({ a: '1', b: 'two' }));
pm.test('wrong on purpose', () => pm.expect(pm.response.json().args.a).to.equal('2'));
pm.test('time', () => pm.expect(pm.response.responseTime).to.be.below(60000));
pm.test('size', () => pm.expect(pm.response.size().body).to.be.above(0));
pm.test.skip('skipped', () => pm.expect(1).to.equal(2));`,
      ),
      request(
        'Missing',
        'GET /status/404',
        `
pm.test('not found', () => pm.response.to.be.notFound);
pm.test('client error', () => pm.response.to.be.clientError);
pm.test('ok on purpose', () => pm.response.to.be.ok);
pm.test('error body', () => pm.expect(pm.response.json()).to.have.property('error').that.is.a('string'));`,
      ),
      request(
        'Broken',
        'GET /status/500',
        `
pm.test('server error', () => pm.response.to.be.serverError);
pm.test('error', () => pm.response.to.be.error);`,
      ),
    ],
  },
  'json-schema': {
    items: [
      request(
        'Pet',
        'GET /pets/3',
        `
const schema = { type: 'object', required: ['id', 'name'], properties: { id: { type: 'integer' }, name: { type: 'string', pattern: '^pet-' }, tags: { type: 'array', items: { type: 'string' } } } };
pm.test('schema', () => pm.response.to.have.jsonSchema(schema));
pm.test('schema of a value', () => pm.expect(pm.response.json()).to.have.jsonSchema(schema));
pm.test('wrong schema', () => pm.response.to.have.jsonSchema({ type: 'object', required: ['price'] }));
pm.test('tv4', () => pm.expect(tv4.validate(pm.response.json(), schema)).to.be.true);
const Ajv = require('ajv');
pm.test('ajv', () => pm.expect(new Ajv().validate(schema, pm.response.json())).to.be.true);`,
      ),
    ],
  },
  'token-chain': {
    items: [
      request(
        'Token',
        'POST /token',
        `
pm.test('token', () => pm.expect(pm.response.json().access_token).to.be.a('string'));
pm.environment.set('token', pm.response.json().access_token);
pm.collectionVariables.set('lifetime', pm.response.json().expires_in);
pm.globals.set('seen', true);`,
      ),
      request(
        'Me',
        'GET /me',
        `
pm.test('is ada', () => pm.expect(pm.response.json().user).to.equal('ada'));
pm.test('number stays a number', () => pm.expect(pm.collectionVariables.get('lifetime')).to.equal(3600));
pm.test('boolean stays a boolean', () => pm.expect(pm.globals.get('seen')).to.equal(true));
pm.test('variables see all scopes', () => pm.expect(pm.variables.get('token')).to.equal('tok-123'));`,
        {
          more: { auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{token}}', type: 'string' }] } },
        },
      ),
      request('Basic', 'GET /basic', `pm.test('let in', () => pm.response.to.have.status(200));`, {
        more: {
          auth: {
            type: 'basic',
            basic: [
              { key: 'username', value: 'ada', type: 'string' },
              { key: 'password', value: 'love', type: 'string' },
            ],
          },
        },
      }),
    ],
  },
  'send-request': {
    items: [
      request(
        'Fetch a token first',
        'GET /me',
        `
pm.test('let in', () => pm.response.to.have.status(200));
pm.sendRequest(pm.variables.get('baseUrl') + '/pets/3', (error, response) => {
  pm.test('callback', () => {
    pm.expect(error).to.be.null;
    pm.expect(response).to.have.property('code', 200);
    pm.expect(response.json().id).to.equal(3);
  });
});`,
        {
          before: `
pm.sendRequest({ url: pm.variables.get('baseUrl') + '/token', method: 'POST', header: { 'Content-Type': 'application/json' }, body: { mode: 'raw', raw: '{}' } }, (error, response) => {
  pm.environment.set('token', response.json().access_token);
});`,
          more: { auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{token}}', type: 'string' }] } },
        },
      ),
      request(
        'One after the other',
        'GET /get',
        `
pm.sendRequest(pm.variables.get('baseUrl') + '/status/404', (error, response) => {
  pm.test('not found', () => pm.expect(response.code).to.equal(404));
  pm.sendRequest({ url: pm.variables.get('baseUrl') + '/post', method: 'POST', body: { mode: 'urlencoded', urlencoded: [{ key: 'a', value: '1' }] } }, (again, posted) => {
    pm.test('form', () => pm.expect(posted.json().data).to.equal('a=1'));
  });
});`,
      ),
    ],
  },
  'next-request-loop': {
    items: [
      request(
        'First page',
        'GET /pets?page=1',
        `
pm.environment.set('page', 2);
pm.test('two', () => pm.expect(pm.response.json().items).to.have.lengthOf(2));`,
      ),
      request(
        'Next page',
        'GET /pets?page={{page}}',
        `
const { items, next } = pm.response.json();
pm.test('page has items ' + pm.environment.get('page'), () => pm.expect(items.length).to.be.above(0));
if (next !== null) { pm.environment.set('page', next); postman.setNextRequest('Next page'); }
else pm.execution.setNextRequest('Last');`,
      ),
      request('Left out', 'GET /status/500', `pm.test('never', () => pm.expect(true).to.be.false);`),
      request(
        'Last',
        'GET /get',
        `
pm.test('last', () => pm.expect(pm.info.requestName).to.equal('Last'));
pm.execution.setNextRequest(null);`,
      ),
      request('After the end', 'GET /status/500', `pm.test('never', () => pm.expect(true).to.be.false);`),
    ],
  },
  'next-request-unknown': {
    items: [
      request('One', 'GET /get', `pm.test('one', () => pm.response.to.be.ok); postman.setNextRequest('Nobody');`),
      request('Two', 'GET /get', `pm.test('never', () => pm.expect(true).to.be.false);`),
    ],
  },
  'skipped-request': {
    items: [
      request('Skipped', 'GET /status/500', `pm.test('never', () => pm.expect(true).to.be.false);`, {
        before: `pm.test('before', () => pm.expect(1).to.equal(1)); pm.execution.skipRequest();`,
      }),
      request('Sent', 'GET /get', `pm.test('sent', () => pm.response.to.be.ok);`),
    ],
  },
  cookies: {
    items: [
      request(
        'Set',
        'GET /cookies/set',
        `
pm.test('has', () => pm.expect(pm.cookies.has('sid')).to.be.true);
pm.test('get', () => pm.expect(pm.cookies.get('sid')).to.equal('abc'));
pm.test('object', () => pm.expect(pm.cookies.toObject()).to.include({ sid: 'abc' }));`,
      ),
      request(
        'Sent back',
        'GET /cookies',
        `
pm.test('echoed', () => pm.expect(pm.response.json().cookies).to.include({ sid: 'abc', theme: 'dark' }));
const jar = pm.cookies.jar();
jar.get(pm.variables.get('baseUrl'), 'sid', (error, value) => {
  pm.test('jar.get', () => { pm.expect(error).to.be.null; pm.expect(value).to.equal('abc'); });
});
jar.set(pm.variables.get('baseUrl'), 'extra', 'x1', (error) => {
  pm.test('jar.set', () => pm.expect(error).to.be.null);
});`,
      ),
      request(
        'With the extra one',
        'GET /cookies',
        `
pm.test('extra', () => pm.expect(pm.response.json().cookies.extra).to.equal('x1'));
pm.cookies.jar().unset(pm.variables.get('baseUrl'), 'sid', (error) => pm.test('unset', () => pm.expect(error).to.be.null));`,
      ),
      request(
        'Without sid',
        'GET /cookies',
        `
pm.test('gone', () => pm.expect(pm.response.json().cookies).to.not.have.property('sid'));`,
      ),
    ],
  },
  'built-in-modules': {
    items: [
      request(
        'Modules',
        'GET /get',
        `
const lodash = require('lodash');
const moment = require('moment');
const uuid = require('uuid');
const util = require('util');
const url = require('url');
const querystring = require('querystring');
const { EventEmitter } = require('events');
const path = require('path');
const assert = require('assert');
pm.test('lodash', () => pm.expect(lodash.groupBy([1, 2, 3], (n) => n % 2 ? 'odd' : 'even')).to.eql({ odd: [1, 3], even: [2] }));
pm.test('global lodash', () => pm.expect(_.chunk([1, 2, 3], 2)).to.eql([[1, 2], [3]]));
pm.test('moment', () => pm.expect(moment.utc(0).format('YYYY-MM-DD')).to.equal('1970-01-01'));
pm.test('uuid', () => pm.expect(uuid.v4()).to.match(/^[0-9a-f-]{36}$/));
pm.test('util', () => pm.expect(util.isDeepStrictEqual ? true : typeof util.inspect === 'function').to.be.true);
pm.test('url', () => pm.expect(url.parse('http://h:1/p?q=1').port).to.equal('1'));
pm.test('querystring', () => pm.expect(querystring.parse('a=1&b=2').b).to.equal('2'));
pm.test('events', () => { let got; const e = new EventEmitter(); e.on('x', (v) => { got = v; }); e.emit('x', 3); pm.expect(got).to.equal(3); });
pm.test('path', () => pm.expect(path.basename('/a/b.txt')).to.equal('b.txt'));
pm.test('assert', () => assert.strictEqual(1, 1));
pm.test('buffer', () => pm.expect(require('buffer').Buffer.from('hi').toString('base64')).to.equal('aGk='));
pm.test('atob', () => pm.expect(atob('aGk=')).to.equal('hi'));
pm.test('unknown module', () => pm.expect(() => require('left-pad')).to.throw());`,
      ),
    ],
  },
  'signed-request': {
    items: [
      request(
        'Signed',
        'POST /signed',
        `
pm.test('signature', () => pm.expect(pm.response.json().signature).to.equal(CryptoJS.HmacSHA256('{"a":1}', 'k').toString()));
pm.test('md5', () => pm.expect(CryptoJS.MD5('x').toString()).to.equal('9dd4e461268c8034f5c8564e155c67a6'));
pm.test('aes', () => { const c = CryptoJS.AES.encrypt('text', 'pass').toString(); pm.expect(CryptoJS.AES.decrypt(c, 'pass').toString(CryptoJS.enc.Utf8)).to.equal('text'); });
pm.test('base64', () => pm.expect(CryptoJS.enc.Base64.stringify(CryptoJS.enc.Utf8.parse('hi'))).to.equal('aGk='));
pm.test('by require', () => pm.expect(require('crypto-js').SHA1('x').toString()).to.equal(CryptoJS.SHA1('x').toString()));`,
        {
          before: `
const signature = CryptoJS.HmacSHA256(pm.request.body.raw, 'k').toString();
pm.request.headers.add({ key: 'X-Signature', value: signature });`,
          more: raw('{"a":1}'),
        },
      ),
    ],
  },
  'changed-request': {
    items: [
      request(
        'Changed before it is sent',
        'POST /post',
        `
pm.test('body', () => pm.expect(pm.response.json().data).to.equal('changed'));
pm.test('header', () => pm.expect(pm.response.json().headers['x-more']).to.equal('yes'));
pm.test('header gone', () => pm.expect(pm.response.json().headers).to.not.have.property('x-less'));
pm.test('seen afterwards', () => pm.expect(pm.request.headers.get('X-More')).to.equal('yes'));`,
        {
          before: `
pm.request.body.update('changed');
pm.request.headers.upsert({ key: 'X-More', value: 'yes' });
pm.request.headers.remove('X-Less');`,
          more: { header: [{ key: 'X-Less', value: 'no' }], ...raw('original', 'text') },
        },
      ),
      request(
        'Other query',
        'GET /get?a=1',
        `
pm.test('query', () => pm.expect(pm.response.json().args).to.eql({ a: '1', b: '2' }));`,
        {
          before: `pm.request.url.addQueryParams('b=2');`,
        },
      ),
    ],
  },
  'xml-and-html': {
    items: [
      request(
        'XML',
        'GET /xml',
        `
const shop = xml2Json(pm.response.text());
pm.test('name', () => pm.expect(shop.shop.item.name).to.equal('tea'));
pm.test('attribute', () => pm.expect(shop.shop.item.$.id).to.equal('7'));
require('xml2js').parseString(responseBody, (error, result) => pm.test('xml2js', () => pm.expect(result.shop.item[0].name[0]).to.equal('tea')));`,
      ),
      request(
        'HTML',
        'GET /html',
        `
const $ = require('cheerio').load(pm.response.text());
pm.test('title', () => pm.expect($('title').text()).to.equal('Shop'));
pm.test('items', () => pm.expect($('li').length).to.equal(2));`,
      ),
      request(
        'CSV',
        'GET /csv',
        `
const rows = require('csv-parse/lib/sync')(pm.response.text(), { columns: true });
pm.test('rows', () => pm.expect(rows[1]).to.include({ name: 'coffee', price: '5' }));`,
      ),
      request('Text', 'GET /plain', `pm.test('text', () => pm.expect(pm.response.text()).to.equal('grüße'));`),
      request('Latin', 'GET /latin', `pm.test('charset', () => pm.expect(pm.response.text()).to.equal('grüße'));`),
    ],
  },
  'older-scripts': {
    items: [
      request(
        'Older',
        'GET /get?a=1',
        `
var data = JSON.parse(responseBody);
tests['status is 200'] = responseCode.code === 200;
tests['has args'] = _.isObject(data.args);
tests['wrong on purpose'] = data.args.a === 'x';
tests['header'] = postman.getResponseHeader('content-type').indexOf('json') > 0;
postman.setEnvironmentVariable('old', 'value');
postman.setGlobalVariable('wide', 'open');`,
      ),
      request(
        'Reads them',
        'GET /get',
        `
tests['environment'] = environment.old === 'value' && postman.getEnvironmentVariable('old') === 'value';
tests['globals'] = globals.wide === 'open';
postman.clearEnvironmentVariable('old');
tests['cleared'] = postman.getEnvironmentVariable('old') === undefined;`,
      ),
    ],
  },
  'script-errors': {
    items: [
      request('Throws before', 'GET /get', `pm.test('is sent all the same', () => pm.response.to.be.ok);`, {
        before: `pm.test('first', () => pm.expect(1).to.equal(1)); undefinedFunction();`,
      }),
      request('Throws after', 'GET /get', `pm.test('first', () => pm.response.to.be.ok); throw new Error('boom');`),
      request('Syntax', 'GET /get', `pm.test('x', () => {`),
      request('Goes on', 'GET /get', `pm.test('goes on', () => pm.response.to.be.ok);`),
    ],
  },
  'asynchronous-tests': {
    items: [
      request(
        'Later',
        'GET /get',
        `
pm.test('done', (done) => { setTimeout(() => { pm.expect(1).to.equal(1); done(); }, 5); });
pm.test('async', async () => { await new Promise((r) => setTimeout(r, 5)); pm.expect(2).to.equal(2); });
setTimeout(() => pm.test('in a timer', () => pm.expect(3).to.equal(3)), 10);
Promise.resolve().then(() => pm.test('after a promise', () => pm.expect(4).to.equal(4)));`,
      ),
    ],
  },
  'folders-and-scopes': {
    items: [
      {
        name: 'Folder',
        event: [
          event('prerequest', `pm.variables.set('order', (pm.variables.get('order') || '') + 'f');`),
          event('test', `pm.test('folder test', () => pm.response.to.be.ok);`),
        ],
        item: [
          request(
            'Inside',
            'GET /get?order={{order}}&id={{$guid}}&n={{$randomInt}}',
            `
pm.test('order', () => pm.expect(pm.response.json().args.order).to.equal('cfr'));
pm.test('guid', () => pm.expect(pm.response.json().args.id).to.match(/^[0-9a-f-]{36}$/));
pm.test('dynamic', () => pm.expect(Number(pm.response.json().args.n)).to.be.within(0, 1000));
pm.test('replaceIn', () => pm.expect(pm.variables.replaceIn('{{baseUrl}}/x')).to.match(/^http:.*\\/x$/));`,
            {
              before: `pm.variables.set('order', (pm.variables.get('order') || '') + 'r');`,
            },
          ),
        ],
      },
      request(
        'Outside',
        'GET /get',
        `
pm.test('not in the folder', () => pm.expect(pm.info.requestName).to.equal('Outside'));
pm.test('iteration', () => pm.expect([pm.info.iteration, pm.info.iterationCount, pm.info.eventName]).to.eql([0, 1, 'test']));`,
      ),
    ],
    more: {
      event: [
        event('prerequest', `pm.variables.set('order', 'c');`),
        event('test', `pm.test('collection test', () => pm.expect(pm.response.code).to.be.below(400));`),
      ],
    },
  },
  bodies: {
    items: [
      request(
        'Form',
        'POST /post',
        `pm.test('form', () => pm.expect(pm.response.json().data).to.equal('a=1&b=two%20words'));`,
        {
          more: {
            body: {
              mode: 'urlencoded',
              urlencoded: [
                { key: 'a', value: '1', type: 'text' },
                { key: 'b', value: 'two words', type: 'text' },
                { key: 'c', value: 'no', type: 'text', disabled: true },
              ],
            },
          },
        },
      ),
      request(
        'Multipart with a file',
        'POST /upload',
        `
const answer = pm.response.json();
pm.test('multipart', () => pm.expect(answer.type).to.equal('multipart/form-data'));
pm.test('file', () => pm.expect([answer.hasFile, answer.named]).to.eql([true, true]));`,
        {
          more: {
            body: {
              mode: 'formdata',
              formdata: [
                { key: 'kind', value: 'note', type: 'text' },
                { key: 'file', src: 'files/note.txt', type: 'file' },
              ],
            },
          },
        },
      ),
      request(
        'A file as the body',
        'POST /upload',
        `
pm.test('file', () => pm.expect(pm.response.json().hasFile).to.be.true);`,
        {
          more: { body: { mode: 'file', file: { src: 'files/note.txt' } } },
        },
      ),
      request(
        'GraphQL',
        'POST /graphql',
        `
pm.test('query', () => pm.expect(pm.response.json().data.echo).to.deep.include({ query: '{ me }', variables: { a: 1 } }));`,
        {
          more: { body: { mode: 'graphql', graphql: { query: '{ me }', variables: '{"a":1}' } } },
        },
      ),
      request(
        'A GET has no body',
        'GET /get',
        `
pm.test('no length', () => pm.expect(pm.response.json().headers).to.not.have.property('content-length'));`,
        {
          more: raw('{"a":1}'),
        },
      ),
      request(
        'Deleted',
        'DELETE /delete',
        `
pm.test('no content', () => pm.response.to.have.status(204));
pm.test('empty', () => pm.expect(pm.response.text()).to.equal(''));`,
      ),
    ],
  },
  redirects: {
    items: [
      request(
        'Followed',
        'GET /redirect',
        `
pm.test('followed', () => pm.expect(pm.response.json().args.from).to.equal('redirect'));`,
      ),
      request(
        'Not followed',
        'GET /redirect',
        `
pm.test('kept', () => pm.response.to.have.status(302));
pm.test('redirection', () => pm.response.to.be.redirection);`,
        {
          item: { protocolProfileBehavior: { followRedirects: false } },
        },
      ),
    ],
  },
};

/** By name, as files of version 2.1. */
export const parityCollections = (baseUrl: string): ReadonlyMap<string, object> =>
  new Map(
    Object.entries(COLLECTIONS).map(([name, { items, more }]) => [
      name,
      {
        info: { name, schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
        item: items,
        variable: [{ key: 'baseUrl', value: baseUrl }],
        ...more,
      },
    ]),
  );
