import type { OnApplicationShutdown } from '@nestjs/common';
import {
  WebSocketGateway,
  WebSocketServer,
  type OnGatewayConnection,
  type OnGatewayInit,
} from '@nestjs/websockets';
import { RESYNC } from '@heliograph/contract';
import type { DefaultEventsMap, Server, Socket } from 'socket.io';
import type { Actor } from '../auth/actor.ts';
import { ApiTokens } from '../auth/api-tokens.ts';
import { Authenticator } from '../auth/authenticator.ts';
import { parseToken } from '../auth/token-secret.ts';
import { Config } from '../config.ts';
import { RequestRates } from '../http/request-rates.ts';
import { addressOf, networkOf } from '../http/visitor.ts';
import { Log } from '../log.ts';
import { ConnectionLimits } from './connection-limits.ts';
import { pageBeganAt, tokenOf } from './handshake.ts';
import { RIGHTS_CHANGED, Rooms, SESSIONS_ENDED } from './rooms.ts';

type AppServer = Server<DefaultEventsMap, DefaultEventsMap, DefaultEventsMap, SocketData>;
type AppSocket = Socket<DefaultEventsMap, DefaultEventsMap, DefaultEventsMap, SocketData>;

interface SocketData {
  /** The session id, or the prefix of the API token. */
  sessionId: string;
  /** Whether `sessionId` is a prefix. */
  isToken: boolean;
  ip: string;
  /** What its user may do, as the client was told last. */
  rights: string;
}

/** A socket whose session lookup takes longer is refused and reconnects. */
const AUTHENTICATION_TIMEOUT_MS = 10_000;
/** How often the sessions of connected sockets are checked again. */
const RECHECK_MS = 15_000;
/** Clients send no events; a client that sends more than this is disconnected. */
const MAX_PACKETS = 100;

/** Authenticates sockets and keeps them in the rooms that their permissions allow. Runs in the API only. */
@WebSocketGateway()
export class Sockets implements OnGatewayInit, OnGatewayConnection, OnApplicationShutdown {
  @WebSocketServer() private readonly server?: AppServer;
  private timer?: NodeJS.Timeout;
  private stopped = false;
  private rechecked: Promise<void> = Promise.resolve();
  /** Recently ended sessions, whose sockets may still be authenticating. */
  private readonly ended = new Set<string>();

  constructor(
    private readonly log: Log,
    private readonly authenticator: Authenticator,
    private readonly limits: ConnectionLimits,
    private readonly tokens: ApiTokens,
    private readonly rates: RequestRates,
    private readonly config: Config,
    private readonly rooms: Rooms,
  ) {}

  afterInit(server: AppServer): void {
    server.use((socket, next) => {
      this.authenticate(socket).then(
        () => next(),
        () => next(new Error('unauthorized')),
      );
    });
    server.on(SESSIONS_ENDED, (ids: string[]) => this.endSessions(ids));
    server.on(RIGHTS_CHANGED, (ids: string[]) => {
      for (const id of ids) this.authenticator.invalidate(id);
      this.recheck().catch(this.failed);
    });
    this.schedule();
  }

  handleConnection(socket: AppSocket): void {
    ignorePackets(socket);
    if (this.ended.has(socket.data.sessionId)) socket.disconnect(true);
    else void this.tellMissed(socket);
  }

  /** It is in its rooms by now: what is sent from here on, it gets. */
  private async tellMissed(socket: AppSocket): Promise<void> {
    const beganAt = pageBeganAt(socket.handshake);
    if (beganAt !== undefined && (await this.rooms.missedSince(beganAt, socket.rooms)))
      socket.emit(RESYNC);
  }

  private async authenticate(socket: AppSocket): Promise<void> {
    const token = tokenOf(socket.handshake);
    const ip = addressOf(socket.request, this.config.TRUST_PROXY);
    const useragent = String(socket.request.headers['user-agent'] ?? '').slice(0, 500);
    const client = { ip, network: networkOf(ip), useragent };
    const actor = await Promise.race([
      this.authenticator.byToken(token, client),
      authenticationTimeout(),
    ]).catch((error: unknown) => {
      this.rates.countSocketRefusal(error, ip);
      throw error;
    });
    this.limits.signedIn(actor.OwnerId, socket.conn);
    const prefix = actor.tokenId && parseToken(token)!.prefix;
    Object.assign(socket.data, {
      sessionId: prefix ?? actor.sessionId,
      isToken: prefix !== null,
      ip,
      rights: rightsOf(actor),
    } satisfies SocketData);
    void socket.join(roomsOf(socket, actor));
  }

  /**
   * Closes the connections of this process, below the protocol: clients then reconnect by themselves, each after a random
   * delay, which they do not when they are disconnected by the server.
   */
  disconnect(): void {
    for (const { conn } of this.server?.sockets.sockets.values() ?? []) conn.close();
  }

  onApplicationShutdown(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  /** The next recheck follows by itself. */
  private readonly failed = (error: unknown): void =>
    this.log.warn({ err: error }, 'failed to recheck the sessions of sockets');

  private schedule(): void {
    if (this.stopped) return;
    this.timer = setTimeout(() => {
      this.recheck()
        .catch(this.failed)
        .finally(() => this.schedule());
    }, RECHECK_MS);
  }

  /** Disconnects the sockets of these sessions or token prefixes in this process and drops the cached actors. */
  private endSessions(ids: string[]): void {
    for (const id of ids) {
      this.authenticator.invalidate(id);
      this.ended.add(id);
      setTimeout(() => this.ended.delete(id), AUTHENTICATION_TIMEOUT_MS).unref();
    }
    this.server?.local.in(ids.map((id) => Rooms.session(id))).disconnectSockets(true);
  }

  /**
   * Disconnects sockets of ended sessions and moves sockets whose grants have changed. Rechecks are serialised, so that an
   * older result does not overwrite a newer one.
   */
  recheck(): Promise<void> {
    const next = this.rechecked.then(() => this.recheckAll());
    this.rechecked = next.catch(() => undefined);
    return next;
  }

  private async recheckAll(): Promise<void> {
    const sockets = [...(this.server?.sockets.sockets.values() ?? [])];
    if (!sockets.length) return;
    const [byToken, bySession] = partition(sockets, ({ data }) => data.isToken);
    const ids = new Set(bySession.map((socket) => socket.data.sessionId));
    const sessions = await this.authenticator.bySessions([...ids]);
    const tokens = await this.tokens.actorsOf(
      byToken.map(({ data }) => ({ prefix: data.sessionId, ip: data.ip })),
    );
    for (const socket of bySession) settle(socket, sessions.get(socket.data.sessionId));
    byToken.forEach((socket, i) => settle(socket, tokens[i]));
  }
}

function partition<T>(all: T[], test: (one: T) => boolean): [T[], T[]] {
  return [all.filter(test), all.filter((one) => !test(one))];
}

/** The rooms of the actor, and that by which its credential is ended. */
const roomsOf = (socket: AppSocket, actor: Actor): string[] => [
  Rooms.session(socket.data.sessionId),
  ...Rooms.joinedBy(actor),
];

/** If the rooms or the rights changed, the client receives `resync` and refetches. */
function settle(socket: AppSocket, actor: Actor | undefined): void {
  if (!actor) return void socket.disconnect(true);
  const rights = rightsOf(actor);
  const isChanged = move(socket, roomsOf(socket, actor)) || socket.data.rights !== rights;
  socket.data.rights = rights;
  if (isChanged) socket.emit(RESYNC);
}

const rightsOf = ({ level, permissions }: Actor): string => JSON.stringify([level, permissions]);

/** Updates the rooms of a socket, and tells whether they changed. */
function move(socket: AppSocket, rooms: string[]): boolean {
  const wanted = new Set([socket.id, ...rooms]);
  const left = [...socket.rooms].filter((room) => !wanted.has(room));
  const joined = rooms.filter((room) => !socket.rooms.has(room));
  for (const room of left) void socket.leave(room);
  void socket.join(joined);
  return left.length + joined.length > 0;
}

/** Events from clients are ignored; a client that sends too many is disconnected. */
function ignorePackets(socket: AppSocket): void {
  let received = 0;
  socket.use(() => {
    if (++received > MAX_PACKETS) socket.disconnect(true);
  });
}

const authenticationTimeout = () =>
  new Promise<never>((_, reject) => {
    setTimeout(reject, AUTHENTICATION_TIMEOUT_MS, new Error('session lookup timed out')).unref();
  });
