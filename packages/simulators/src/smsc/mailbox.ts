import { type PduInput, Session } from '@heliograph/smpp';

export type Delivery = Omit<PduInput<'deliver_sm'>, 'command' | 'sequence'>;

const WINDOW = 10;
const RETRY_MS = 1_000;
const MAX_WAITING = 200_000;

interface Waiting {
  delivery: Delivery;
  onAcknowledged?: (() => void) | undefined;
}

/** What waits for the receivers of one customer. It is kept until a receiver acknowledges it. */
export class Mailbox {
  /** Acknowledged deliveries, and those that were refused for now. */
  acknowledged = 0;
  refused = 0;

  private readonly waiting: Waiting[] = [];
  private readonly receivers = new Map<Session, number>();
  private retry: NodeJS.Timeout | undefined;

  get size(): number {
    return this.waiting.length;
  }

  attach(session: Session): void {
    this.receivers.set(session, 0);
    void session.closed.then(() => this.receivers.delete(session));
    this.send();
  }

  add(delivery: Delivery, onAcknowledged?: () => void): void {
    if (this.waiting.length >= MAX_WAITING) this.waiting.shift();
    this.waiting.push({ delivery, onAcknowledged });
    this.send();
  }

  close(): void {
    clearTimeout(this.retry);
    this.waiting.length = 0;
  }

  private send(): void {
    if (this.retry) return;
    for (const [session, unanswered] of this.receivers) {
      let free = session.isOpen ? WINDOW - unanswered : 0;
      while (free-- > 0 && this.waiting.length > 0)
        void this.deliver(session, this.waiting.shift()!);
    }
  }

  private async deliver(session: Session, waiting: Waiting): Promise<void> {
    this.receivers.set(session, this.receivers.get(session)! + 1);
    let isDone = false;
    try {
      const { status } = await session.request('deliver_sm', waiting.delivery);
      isDone = status === 0;
      if (isDone) {
        this.acknowledged++;
        waiting.onAcknowledged?.();
      } else this.refused++;
    } catch {
      // Whether it was stored is not known: it comes again.
    }
    const unanswered = this.receivers.get(session);
    if (unanswered !== undefined) this.receivers.set(session, unanswered - 1);
    if (isDone) return this.send();
    this.waiting.unshift(waiting);
    this.retry ??= setTimeout(() => {
      this.retry = undefined;
      this.send();
    }, RETRY_MS);
  }
}
