import type { OnApplicationShutdown } from '@nestjs/common';
import {
  WebSocketGateway,
  WebSocketServer,
  type OnGatewayConnection,
  type OnGatewayInit,
} from '@nestjs/websockets';
import { RESYNC } from '@heliograph/contract';
import type { DefaultEventsMap, Server, Socket } from 'socket.io';
import { Authenticator } from '../auth/authenticator.ts';
import { Log } from '../log.ts';
import { ConnectionLimits } from './connection-limits.ts';
import { tokenOf } from './handshake.ts';
import { Rooms, SESSIONS_ENDED } from './rooms.ts';

type AppServer = Server<DefaultEventsMap, DefaultEventsMap, DefaultEventsMap, SocketData>;
type AppSocket = Socket<DefaultEventsMap, DefaultEventsMap, DefaultEventsMap, SocketData>;

interface SocketData {
  sessionId: string;
}

/** A socket whose session cannot be found out by then is refused, and comes again. */
const PATIENCE_MS = 10_000;
/** How often a connected socket's session is looked at again. */
const RECHECK_MS = 15_000;
/** A client sends its token and nothing else. */
const MAX_PACKETS = 100;

/** Who is connected: lets a socket in by its session and keeps it in the rooms of what its person may ask for. Only the API has one. */
@WebSocketGateway()
export class Sockets implements OnGatewayInit, OnGatewayConnection, OnApplicationShutdown {
  @WebSocketServer() private readonly server?: AppServer;
  private timer?: NodeJS.Timeout;
  private stopped = false;
  private rechecked: Promise<void> = Promise.resolve();
  /** Sessions that ended while one of their sockets may have been on its way in. */
  private readonly ended = new Set<string>();

  constructor(
    private readonly log: Log,
    private readonly authenticator: Authenticator,
    private readonly limits: ConnectionLimits,
  ) {}

  afterInit(server: AppServer): void {
    server.use((socket, next) => {
      // Asynchronous as a whole: whatever it throws is a refusal.
      this.admit(socket).then(
        () => next(),
        () => next(new Error('unauthorized')),
      );
    });
    server.on(SESSIONS_ENDED, (ids: string[]) => this.endSessions(ids));
    this.schedule();
  }

  handleConnection(socket: AppSocket): void {
    ignorePackets(socket);
    if (this.ended.has(socket.data.sessionId)) socket.disconnect(true);
  }

  private async admit(socket: AppSocket): Promise<void> {
    const actor = await Promise.race([
      this.authenticator.byToken(tokenOf(socket.handshake)),
      late(),
    ]);
    this.limits.signedIn(actor.OwnerId, socket.conn);
    socket.data.sessionId = actor.sessionId;
    void socket.join(Rooms.joinedBy(actor));
  }

  /** Tells every socket of this process that it ends, and closes it; the other processes go on serving theirs. */
  disconnect(): void {
    this.server?.local.disconnectSockets(true);
  }

  onApplicationShutdown(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  private schedule(): void {
    if (this.stopped) return;
    this.timer = setTimeout(() => {
      this.recheck()
        .catch((error: unknown) => this.log.warn({ err: error }, 'sockets were not looked at'))
        .finally(() => this.schedule());
    }, RECHECK_MS);
  }

  /** Their sockets here are cut off, and nothing is remembered of who they were. */
  private endSessions(ids: string[]): void {
    for (const id of ids) {
      this.authenticator.invalidate(id);
      this.ended.add(id);
      setTimeout(() => this.ended.delete(id), PATIENCE_MS).unref();
    }
    this.server?.local.in(ids.map((id) => Rooms.session(id))).disconnectSockets(true);
  }

  /**
   * Whose session has ended is cut off; whose grants have changed is in other rooms. One look for all, and one after
   * the other: what an earlier look found would undo what a later one did.
   */
  recheck(): Promise<void> {
    const next = this.rechecked.then(() => this.look());
    this.rechecked = next.catch(() => undefined);
    return next;
  }

  private async look(): Promise<void> {
    const sockets = [...(this.server?.sockets.sockets.values() ?? [])];
    if (!sockets.length) return;
    const ids = new Set(sockets.map((socket) => socket.data.sessionId));
    const actors = await this.authenticator.bySessions([...ids]);
    for (const socket of sockets) {
      const actor = actors.get(socket.data.sessionId);
      if (actor) move(socket, Rooms.joinedBy(actor));
      else socket.disconnect(true);
    }
  }
}

/** What it may see now is not what it has been told of: it fetches anew. */
function move(socket: AppSocket, rooms: string[]): void {
  const wanted = new Set([socket.id, ...rooms]);
  const left = [...socket.rooms].filter((room) => !wanted.has(room));
  const joined = rooms.filter((room) => !socket.rooms.has(room));
  for (const room of left) void socket.leave(room);
  void socket.join(joined);
  if (left.length || joined.length) socket.emit(RESYNC);
}

/** Events of a client are never dispatched; a client that goes on sending them is disconnected. */
function ignorePackets(socket: AppSocket): void {
  let received = 0;
  socket.use(() => {
    if (++received > MAX_PACKETS) socket.disconnect(true);
  });
}

const late = () =>
  new Promise<never>((_, reject) => {
    setTimeout(reject, PATIENCE_MS, new Error('the session was not found out in time')).unref();
  });
