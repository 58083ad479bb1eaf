import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A port that leads to another one of this machine, until it is cut, mended or led elsewhere. */
export class Line {
  private readonly sockets = new Set<Socket>();
  private readonly server: Server;
  private isCut = false;

  private constructor(private target: number) {
    this.server = createServer((near) => this.join(near));
  }

  static async to(target: number): Promise<Line> {
    const line = new Line(target);
    await new Promise<void>((resolve) => line.server.listen(0, '127.0.0.1', resolve));
    return line;
  }

  /** The address of a server, by this line. */
  by(url: string): string {
    const own = new URL(url);
    own.port = String((this.server.address() as AddressInfo).port);
    return own.href;
  }

  /** What is sent from now on arrives nowhere, and nobody is told. */
  cut(): void {
    this.isCut = true;
    for (const socket of this.sockets) socket.pause().removeAllListeners('data');
  }

  /** Connections that are made from now on arrive again. */
  mend(): void {
    this.isCut = false;
  }

  /** Connections that are made from now on arrive at another port; all others end. */
  lead(target: number): void {
    this.target = target;
    for (const socket of this.sockets) socket.destroy();
  }

  stop(): void {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
  }

  private join(near: Socket): void {
    this.sockets.add(near);
    near.on('error', () => undefined).once('close', () => this.sockets.delete(near));
    if (this.isCut) return;
    const far = connect(this.target, '127.0.0.1');
    far.on('error', () => undefined).once('close', () => !this.isCut && near.destroy());
    near.once('close', () => far.destroy());
    near.on('data', (data) => far.write(data));
    far.on('data', (data) => !this.isCut && near.write(data));
  }
}
