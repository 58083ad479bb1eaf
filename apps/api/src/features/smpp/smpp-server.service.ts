import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import {
  PduError,
  STATUS,
  Session,
  tlv,
  type Answer,
  type Pdu,
  type PduOf,
} from '@heliograph/smpp';
import { readFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { certificatesOf } from '../../channels/certificates.ts';
import { Config } from '../../core/config.ts';
import { AppError } from '../../core/errors.ts';
import { networkOf, type TokenClient } from '../../core/http/visitor.ts';
import { Log } from '../../core/log.ts';
import { ProcessReports } from '../../core/process-reports.ts';
import { MESSAGES, RECEIPTS, ReceiverQueues } from '../webhooks/receiver-queues.service.ts';
import { SmppDeliveries, type Receiver } from './deliveries.service.ts';
import { LoginsService, type Login } from './logins.service.ts';
import { QueriesService } from './queries.service.ts';
import { statusOfError } from './refusals.ts';
import { SubmitsService } from './submits.service.ts';

type Bind = PduOf<'bind_transceiver'> | PduOf<'bind_receiver'> | PduOf<'bind_transmitter'>;

interface Bound extends Receiver {
  login: Login;
  mayTransmit: boolean;
}

interface Connection {
  client: TokenClient;
  /** That of its socket among those of its network. */
  name: string;
  session: Session;
  isBinding: boolean;
  bound?: Bound;
}

/** A connection is bound within this time, and the handshake of TLS done. */
const BIND_MS = 10_000;
/** Connections of one network that are not bound. */
const MAX_UNBOUND = 50;
const INACTIVITY_MS = 600_000;
/** How often the credentials of those who are bound are looked up again. */
const CHECK_MS = 1000;
/** From this version on there are optional parameters. */
const VERSION = 0x34;
const SYSTEM_ID = 'heliograph';
/** How long what is under way may take when the process ends. */
const CLOSE_MS = 5000;

/** Where a socket comes from. Over TLS there are two of one connection, with the same name. */
function originOf({ remoteAddress = '', remotePort, localPort }: Socket) {
  const ip = remoteAddress.replace(/^::ffff:(?=\d+\.)/, '');
  return { ip, network: networkOf(ip), name: `${ip} ${remotePort} ${localPort}` };
}

/** The SMPP server for customers. */
@Injectable()
export class SmppServer implements OnModuleDestroy {
  private readonly servers: Server[] = [];
  private readonly connections = new Set<Connection>();
  /** By network. */
  private readonly unbound = new Map<string, Set<string>>();
  private timer: NodeJS.Timeout | undefined;
  private isStopping = false;

  constructor(
    private readonly config: Config,
    private readonly log: Log,
    private readonly logins: LoginsService,
    private readonly submits: SubmitsService,
    private readonly queries: QueriesService,
    private readonly queues: ReceiverQueues,
    private readonly deliveries: SmppDeliveries,
    private readonly reports: ProcessReports,
  ) {}

  /** Listens on the ports of the settings. Returns the ports. */
  async listen(): Promise<{ port: number | null; tlsPort: number | null }> {
    const { SMPP_PORT, SMPP_TLS_PORT, SMPP_TLS_CERTIFICATE, SMPP_TLS_KEY } = this.config;
    const serve = (socket: Socket) => this.serve(socket);
    const plain = SMPP_PORT === undefined ? null : createServer();
    const cert = SMPP_TLS_PORT === undefined ? null : await readFile(SMPP_TLS_CERTIFICATE!, 'utf8');
    this.reports.shows(certificatesOf(cert ?? ''));
    const tls =
      cert === null
        ? null
        : createTlsServer(
            {
              cert,
              key: await readFile(SMPP_TLS_KEY!),
              handshakeTimeout: BIND_MS,
            },
            serve,
          );
    plain?.on('connection', (socket) => this.admit(socket) && serve(socket));
    // Before the handshake, which may not come.
    tls?.on('connection', (socket) => this.admit(socket));
    // Also of a handshake that was not done in time, which Node tells of and leaves open.
    tls?.on('tlsClientError', (_, socket) => socket.destroy());
    const ports = {
      port: plain && (await this.open(plain, SMPP_PORT!)),
      tlsPort: tls && (await this.open(tls, SMPP_TLS_PORT!)),
    };
    this.check();
    return ports;
  }

  async onModuleDestroy(): Promise<void> {
    this.isStopping = true;
    clearTimeout(this.timer);
    const closed = this.servers.map((server) => new Promise((resolve) => server.close(resolve)));
    const stopped = this.deliveries.stop();
    await Promise.all([...this.connections].map(({ session }) => end(session)));
    await Promise.all([...closed, stopped]);
  }

  private open(server: Server, port: number): Promise<number> {
    server.maxConnections = this.config.SMPP_CONNECTIONS;
    this.servers.push(server);
    return new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, this.config.HOST, () => resolve((server.address() as AddressInfo).port));
    });
  }

  /** Counts a connection until it is bound or closed. False if its network has too many, and it is closed at once. */
  private admit(socket: Socket): boolean {
    const { network, name } = originOf(socket);
    const unbound = this.unbound.get(network) ?? new Set();
    if (unbound.size >= MAX_UNBOUND) {
      socket.destroy();
      return false;
    }
    this.unbound.set(network, unbound.add(name));
    socket.once('close', () => this.discount(network, name));
    return true;
  }

  private serve(socket: Socket): void {
    const { ip, network, name } = originOf(socket);
    if (this.connections.size >= this.config.SMPP_CONNECTIONS) return void socket.destroy();
    socket.setNoDelay(true);
    const session: Session = new Session(socket, {
      isStrict: true,
      inactivityMs: INACTIVITY_MS,
      maxHandled: this.config.SMPP_WINDOW,
      handle: (request) => this.handle(connection, request),
    });
    const client = { ip, network, useragent: 'SMPP' };
    const connection: Connection = { client, name, session, isBinding: false };
    this.connections.add(connection);
    const timer = setTimeout(() => {
      if (!connection.bound) session.close('Not bound in time');
    }, BIND_MS);
    void session.closed.then(() => {
      clearTimeout(timer);
      this.connections.delete(connection);
    });
  }

  private discount(network: string, name: string): void {
    const unbound = this.unbound.get(network);
    unbound?.delete(name);
    if (unbound?.size === 0) this.unbound.delete(network);
  }

  /** The answer to a request. Never rejects. */
  private async handle(connection: Connection, request: Pdu): Promise<Answer> {
    try {
      return await this.answer(connection, request);
    } catch (error) {
      const status = error instanceof PduError ? error.status : statusOfError(error);
      if (status === undefined) this.log.error({ err: error }, 'A request over SMPP failed.');
      return { status: status ?? STATUS.ESME_RSYSERR };
    }
  }

  private async answer(connection: Connection, request: Pdu): Promise<Answer> {
    const { bound } = connection;
    switch (request.command) {
      case 'bind_receiver':
      case 'bind_transmitter':
      case 'bind_transceiver':
        return this.bind(connection, request);
    }
    if (!bound) return { status: STATUS.ESME_RINVBNDSTS };
    switch (request.command) {
      case 'submit_sm':
      case 'submit_multi':
      case 'data_sm':
        if (!bound.mayTransmit) return { status: STATUS.ESME_RINVBNDSTS };
        return this.submits.submit(bound.actor, request);
      case 'query_sm':
        if (!bound.mayTransmit) return { status: STATUS.ESME_RINVBNDSTS };
        return this.queries.query(bound.actor, request);
      case 'cancel_sm':
        if (!bound.mayTransmit) return { status: STATUS.ESME_RINVBNDSTS };
        return this.queries.cancel(bound.actor, request);
      case 'replace_sm':
        return { status: bound.mayTransmit ? STATUS.ESME_RREPLACEFAIL : STATUS.ESME_RINVBNDSTS };
      default:
        return { status: STATUS.ESME_RINVCMDID };
    }
  }

  private async bind(connection: Connection, request: Bind): Promise<Answer> {
    if (connection.bound || connection.isBinding) return { status: STATUS.ESME_RALYBND };
    if (this.isStopping) return { status: STATUS.ESME_RBINDFAIL };
    connection.isBinding = true;
    try {
      const { client, name, session } = connection;
      const login = await this.logins.bind(request.systemId, request.password, client);
      const { actor } = login;
      const mayReceive = request.command !== 'bind_transmitter';
      if (mayReceive) await this.queues.open(actor.OwnerId, [RECEIPTS, MESSAGES]);
      if (this.sessionsOf(actor.OwnerId) >= this.config.SMPP_SESSIONS || this.isStopping)
        return { status: STATUS.ESME_RBINDFAIL };
      if (!session.isOpen) return { status: STATUS.ESME_RBINDFAIL };
      const takesTlvs = request.interfaceVersion >= VERSION;
      const mayTransmit = request.command !== 'bind_receiver';
      const bound: Bound = { session, actor, takesTlvs, login, mayTransmit };
      connection.bound = bound;
      const { OwnerId, userId } = actor;
      this.log.info({ OwnerId, userId, ip: client.ip }, `${request.command} over SMPP`);
      this.discount(client.network, name);
      // After the answer.
      if (mayReceive) setImmediate(() => session.isOpen && this.deliveries.attach(bound));
      const tlvs = takesTlvs ? [tlv('scInterfaceVersion', VERSION)] : [];
      return { systemId: SYSTEM_ID, tlvs };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const isWrong = error.code === 'wrong_credentials' || error.code === 'unauthorized';
      return { status: isWrong ? STATUS.ESME_RINVPASWD : STATUS.ESME_RBINDFAIL };
    } finally {
      connection.isBinding = false;
    }
  }

  private sessionsOf(OwnerId: string): number {
    let count = 0;
    for (const { bound } of this.connections) if (bound?.actor.OwnerId === OwnerId) count++;
    return count;
  }

  /** Looks up again who is bound: a token that has ended, or a changed password, unbinds its sessions. */
  private check(): void {
    this.timer = setTimeout(() => {
      void this.checkAll()
        .catch((error: unknown) =>
          this.log.warn({ err: error }, 'Looking up who is bound over SMPP failed.'),
        )
        .finally(() => !this.isStopping && this.check());
    }, CHECK_MS);
  }

  private async checkAll(): Promise<void> {
    const all = [...this.connections].flatMap(({ bound }) => bound ?? []);
    if (!all.length) return;
    const actors = await this.logins.current(all.map(({ login }) => login));
    for (const [i, bound] of all.entries()) {
      const actor = actors[i];
      if (actor && actor.OwnerId === bound.actor.OwnerId) bound.actor = actor;
      else if (bound.session.isOpen) void end(bound.session);
    }
  }
}

/** What is under way is answered first, for a while. */
async function end(session: Session): Promise<void> {
  await session.unbind(CLOSE_MS);
}
