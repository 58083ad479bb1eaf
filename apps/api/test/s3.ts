import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from 's3rver';

const BUCKET = 'heliograph-test';

/**
 * An S3 server with one bucket, behind a connection that a test can cut or stall. `TEST_S3_ENDPOINT` names another server, with
 * any credentials and a bucket `heliograph-test`.
 */
export class S3Server {
  /** Bytes after which connections are cut, by direction; none are accepted then. Infinity: none is cut. */
  cutAfter = { up: Infinity, down: Infinity };
  isStalled = false;
  private readonly sockets = new Set<Socket>();
  private onCut?: () => void;
  private passed = { up: 0, down: 0 };

  private constructor(
    private readonly proxy: Server,
    private readonly target: { host: string; port: number },
    private readonly close: () => Promise<void>,
  ) {}

  static async start(): Promise<S3Server> {
    const given = process.env.TEST_S3_ENDPOINT && new URL(process.env.TEST_S3_ENDPOINT);
    if (given) {
      const target = { host: given.hostname, port: Number(given.port) };
      return this.before(target, () => Promise.resolve());
    }
    const directory = mkdtempSync(join(tmpdir(), 'heliograph-s3-'));
    const server = new S3rver({
      port: 0,
      address: '127.0.0.1',
      silent: true,
      directory,
      configureBuckets: [{ name: BUCKET, configs: [] }],
    });
    const { port } = await server.run();
    return this.before({ host: '127.0.0.1', port }, async () => {
      await server.close();
      rmSync(directory, { recursive: true, force: true });
    });
  }

  private static async before(
    target: { host: string; port: number },
    close: () => Promise<void>,
  ): Promise<S3Server> {
    const proxy = createServer((socket) => server.pass(socket));
    const server = new S3Server(proxy, target, close);
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    return server;
  }

  /** Settings of an API with its files in the bucket, in a folder of its own. */
  env(): Record<string, string> {
    return {
      FILES_DRIVER: 's3',
      S3_BUCKET: BUCKET,
      S3_ENDPOINT: `http://127.0.0.1:${(this.proxy.address() as AddressInfo).port}`,
      S3_PATH_STYLE: '1',
      S3_PREFIX: `${randomBytes(6).toString('hex')}/`,
      S3_ACCESS_KEY_ID: 'S3RVER',
      S3_SECRET_ACCESS_KEY: 'S3RVER',
      S3_TIMEOUT_SECONDS: '5',
    };
  }

  /** Cuts all connections after so many more bytes; 0 cuts them now. Until `restore`. */
  cut(after: Partial<S3Server['cutAfter']> = { up: 0, down: 0 }): void {
    this.passed = { up: 0, down: 0 };
    this.cutAfter = { up: Infinity, down: Infinity, ...after };
    if (after.up === 0 || after.down === 0) this.drop();
  }

  whenCut(): Promise<void> {
    return new Promise((resolve) => (this.onCut = resolve));
  }

  stall(): void {
    this.isStalled = true;
  }

  restore(): void {
    this.cutAfter = { up: Infinity, down: Infinity };
    this.isStalled = false;
    // What was stalled is not continued.
    this.drop();
  }

  async stop(): Promise<void> {
    this.drop();
    await new Promise((resolve) => this.proxy.close(resolve));
    await this.close();
  }

  private get isCut(): boolean {
    return this.passed.up >= this.cutAfter.up || this.passed.down >= this.cutAfter.down;
  }

  private pass(socket: Socket): void {
    socket.on('error', () => undefined);
    if (this.isCut) return void socket.destroy();
    const upstream = connect(this.target);
    upstream.on('error', () => undefined);
    this.follow(socket, upstream, 'up');
    this.follow(upstream, socket, 'down');
  }

  private follow(from: Socket, to: Socket, way: 'up' | 'down'): void {
    this.sockets.add(from);
    from.once('close', () => {
      this.sockets.delete(from);
      to.destroy();
    });
    from.on('data', (chunk: Buffer) => {
      if (this.isStalled) return;
      this.passed[way] += chunk.length;
      if (this.isCut) {
        this.drop();
        this.onCut?.();
      } else to.write(chunk);
    });
  }

  private drop(): void {
    for (const socket of this.sockets) socket.destroy();
  }
}
