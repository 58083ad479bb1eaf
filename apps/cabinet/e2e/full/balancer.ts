import { createConnection, createServer, type Server, type Socket } from 'node:net';

const NOBODY =
  'HTTP/1.1 502 Bad Gateway\r\ncontent-type: text/html\r\ncontent-length: 0\r\nconnection: close\r\n\r\n';

/** A load balancer: connections go to the servers in turn, and past those that refuse them. */
export class Balancer {
  readonly url: string;
  private readonly server: Server;
  private readonly clients: Set<Socket>;

  private constructor(server: Server, clients: Set<Socket>) {
    this.server = server;
    this.clients = clients;
    this.url = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  }

  static async open(ports: number[]): Promise<Balancer> {
    const clients = new Set<Socket>();
    let turn = 0;
    const server = createServer({ pauseOnConnect: true }, (client) => {
      clients.add(client);
      client.on('error', () => client.destroy()).on('close', () => clients.delete(client));
      turn += 1;
      void join(
        client,
        ports.map((_, i) => ports[(turn + i) % ports.length]!),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new Balancer(server, clients);
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    for (const client of this.clients) client.destroy();
    await closed;
  }
}

async function join(client: Socket, ports: number[]): Promise<void> {
  for (const port of ports) {
    const server = await connected(port);
    if (!server) continue;
    server.on('error', () => client.destroy()).on('close', () => client.destroy());
    client.on('close', () => server.destroy());
    client.pipe(server).pipe(client);
    return;
  }
  // Sent after the request, as an answer to it.
  client.once('data', () => client.end(NOBODY)).resume();
}

function connected(port: number): Promise<Socket | null> {
  return new Promise((resolve) => {
    const socket = createConnection(port, '127.0.0.1', () => resolve(socket));
    socket.once('error', () => resolve(null));
  });
}
