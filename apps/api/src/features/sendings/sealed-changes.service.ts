import { Injectable } from '@nestjs/common';

/** A change of a message whose text is sealed. */
export interface SealedChange {
  id: string;
  /** Null for the first attempt, whose id is that of the chain. */
  chainId: string | null;
  type: number;
  /** The reported status; null for a new or submitted attempt. */
  status: number | null;
  /** A further attempt was created and charged. */
  isSent?: boolean;
}

type Listener = (changes: SealedChange[]) => Promise<void>;

/** Tells changes of sealed messages to the feature that sent them, in the transaction of the change. */
@Injectable()
export class SealedChanges {
  private readonly listeners: Listener[] = [];

  listen(listener: Listener): void {
    this.listeners.push(listener);
  }

  async changed(changes: SealedChange[]): Promise<void> {
    if (!changes.length) return;
    for (const listener of this.listeners) await listener(changes);
  }
}
