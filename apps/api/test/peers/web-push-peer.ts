import { createPublicKey, randomBytes, randomUUID, webcrypto } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { JwtService } from '@nestjs/jwt';

const { subtle } = webcrypto;
const EC = { name: 'ECDH', namedCurve: 'P-256' } as const;
const MAX_BODY = 4_096;
const DAY = 86_400;

export interface WebPushAnswer {
  status: number;
  headers?: Record<string, string>;
  body?: string;
}
export type WebPushFault = 'silence' | 'drop';

type Bytes = Buffer<ArrayBuffer>;

interface Subscribed {
  keys: webcrypto.CryptoKeyPair;
  publicKey: Bytes;
  auth: Bytes;
  applicationServerKey: string;
}

/** A push service and its browsers: it checks what RFC 8030, 8188, 8291 and 8292 ask for, and decrypts. */
export class WebPushPeer {
  /** Messages as the service workers get them, with what the service was told. */
  readonly taken: { id: string; ttl: number; urgency: string; content: unknown }[] = [];
  /** What is answered for a subscription, by its id, in place of taking the message. */
  readonly answers: Record<string, WebPushAnswer | WebPushFault> = {};
  /** Authorizations of all calls. */
  readonly authorizations: string[] = [];
  /** Salts and keys that were used: none may be used twice. */
  readonly used = new Set<string>();
  calls = 0;
  private base = '';
  private readonly subscriptions = new Map<string, Subscribed>();
  private readonly server: Server = createServer((request, response) => {
    void this.serve(request, response);
  });

  async start(): Promise<this> {
    await new Promise<void>((done) => this.server.listen(0, '127.0.0.1', done));
    this.base = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    return this;
  }

  stop(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((done) => this.server.close(() => done()));
  }

  /** A browser subscribes, by the key of a website. */
  async subscribe(applicationServerKey: string) {
    const id = randomUUID();
    const keys = await subtle.generateKey(EC, true, ['deriveBits']);
    const publicKey = Buffer.from(await subtle.exportKey('raw', keys.publicKey));
    const auth = randomBytes(16);
    this.subscriptions.set(id, { keys, publicKey, auth, applicationServerKey });
    return {
      id,
      address: `${this.base}/push/${id}`,
      keys: { p256dh: publicKey.toString('base64url'), auth: auth.toString('base64url') },
    };
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    this.calls++;
    const answer = await this.take(request, Buffer.concat(chunks)).catch(
      (error: Error): WebPushAnswer => ({ status: 400, body: error.message }),
    );
    if (answer === 'silence') return;
    if (answer === 'drop') return void request.socket.destroy();
    response.writeHead(answer.status, answer.headers).end(answer.body);
  }

  private async take(
    { method, url, headers }: IncomingMessage,
    body: Bytes,
  ): Promise<WebPushAnswer | WebPushFault> {
    const id = /^\/push\/([^/]+)$/.exec(url ?? '')?.[1] ?? '';
    const subscribed = this.subscriptions.get(id);
    if (method !== 'POST' || !subscribed) return { status: 404 };
    this.authorizations.push(headers.authorization ?? '');
    if (!(await this.isGenuine(headers.authorization ?? '', subscribed)))
      return { status: 403, body: 'the VAPID credentials do not correspond to the subscription' };
    if (body.length > MAX_BODY) return { status: 413 };
    if (!/^\d{1,7}$/.test(String(headers.ttl))) return { status: 400, body: 'TTL' };
    if (!['very-low', 'low', 'normal', 'high'].includes(String(headers.urgency)))
      return { status: 400, body: 'Urgency' };
    if (headers['content-encoding'] !== 'aes128gcm') return { status: 400, body: 'encoding' };
    const content: unknown = JSON.parse((await this.decrypted(body, subscribed)).toString());
    const set = this.answers[id];
    if (set) return set;
    this.taken.push({ id, ttl: Number(headers.ttl), urgency: String(headers.urgency), content });
    return { status: 201, headers: { location: `${this.base}/message/${this.taken.length}` } };
  }

  /** RFC 8292. */
  private async isGenuine(authorization: string, { applicationServerKey }: Subscribed) {
    const [, token = '', key = ''] =
      /^vapid t=([\w-]+\.[\w-]+\.[\w-]+), k=([\w-]+)$/.exec(authorization) ?? [];
    if (key !== applicationServerKey) return false;
    const point = Buffer.from(key, 'base64url');
    const [x, y] = [point.subarray(1, 33), point.subarray(33)];
    const jwk = { kty: 'EC', crv: 'P-256', x: x.toString('base64url'), y: y.toString('base64url') };
    const publicKey = createPublicKey({ key: jwk, format: 'jwk' });
    try {
      const { exp, sub } = await new JwtService().verifyAsync<{ exp: number; sub: string }>(token, {
        publicKey: publicKey.export({ type: 'spki', format: 'pem' }),
        algorithms: ['ES256'],
        audience: this.base,
      });
      return exp <= Date.now() / 1000 + DAY && /^(?:mailto:|https:)/.test(sub);
    } catch {
      return false;
    }
  }

  /** RFC 8291, by WebCrypto. */
  private async decrypted(body: Bytes, { keys, publicKey, auth }: Subscribed): Promise<Buffer> {
    const salt = body.subarray(0, 16);
    const size = body.readUInt32BE(16);
    const length = body.readUInt8(20);
    const sender = body.subarray(21, 21 + length);
    const record = body.subarray(21 + length);
    if (length !== 65 || size < 18 || record.length > size) throw new Error('records');
    for (const one of [salt, sender]) {
      if (this.used.has(one.toString('hex'))) throw new Error('used before');
      this.used.add(one.toString('hex'));
    }
    const from = await subtle.importKey('raw', sender, EC, false, []);
    const secret = await subtle.deriveBits({ name: 'ECDH', public: from }, keys.privateKey, 256);
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), publicKey, sender]);
    const material = await hkdf(Buffer.from(secret), auth, info, 32);
    const key = await hkdf(material, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
    const iv = await hkdf(material, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
    const aes = await subtle.importKey('raw', key, 'AES-GCM', false, ['decrypt']);
    const plain = Buffer.from(await subtle.decrypt({ name: 'AES-GCM', iv }, aes, record));
    const end = plain.lastIndexOf(2);
    if (end < 0 || plain.subarray(end + 1).some((one) => one !== 0)) throw new Error('padding');
    return plain.subarray(0, end);
  }
}

async function hkdf(material: Bytes, salt: Bytes, info: Bytes, length: number) {
  const key = await subtle.importKey('raw', material, 'HKDF', false, ['deriveBits']);
  const params = { name: 'HKDF', hash: 'SHA-256', salt, info };
  return Buffer.from(await subtle.deriveBits(params, key, length * 8));
}
