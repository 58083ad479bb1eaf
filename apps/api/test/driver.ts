import type { SendingType } from '@heliograph/contract';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import {
  defineDriver,
  type Driver,
  type DriverDefinition,
  type DriverFacts,
  type OpenContext,
  type SubmitResult,
} from '../src/channels/channel.ts';
import { drivers } from '../src/channels/registry.ts';
import type { World } from './world.ts';

/** One open channel of a worker, or one of its sessions. */
export interface Opened {
  context: OpenContext;
  isClosed: boolean;
  /** References that were submitted over it. */
  taken: string[];
}

type Send = (...of: [...Parameters<Driver['send']>, Opened]) => Promise<SubmitResult[]>;

/** A channel whose driver is in the test: it says what becomes of each call. */
export class DriverPeer {
  readonly name = `driver-${randomUUID().slice(0, 8)}`;
  /** Every time that a worker has opened the channel, in order. */
  readonly opened: Opened[] = [];
  /** The references of each call. */
  readonly calls: string[][] = [];
  send: Send = (batch) => Promise.resolve(batch.map(accepted));
  /** Whether the carrier lets a session in. */
  connect: () => Promise<void> = () => Promise.resolve();
  private readonly definition: DriverDefinition;

  private constructor(facts: Partial<DriverFacts>) {
    this.definition = defineDriver({
      name: this.name,
      options: z.strictObject({ n: z.number().optional() }),
      describe: () => ({
        deduplicates: false,
        maxBatch: 100,
        concurrency: 1,
        isQueried: false,
        ...facts,
      }),
      open: (_, context) => this.open(context),
    });
  }

  static async start(
    world: World,
    types: SendingType[],
    facts: Partial<DriverFacts> = {},
  ): Promise<DriverPeer> {
    const peer = new DriverPeer(facts);
    (drivers as DriverDefinition[]).push(peer.definition);
    await world.db.query(
      `insert into channels (name, driver, types, priority, options) values ($1, $1, $2, 10, '{}')`,
      [peer.name, types],
    );
    world.forgetChannels();
    return peer;
  }

  /** Sessions that are open at the carrier. */
  get bound(): Opened[] {
    return this.opened.filter(({ isClosed }) => !isClosed);
  }

  private open(context: OpenContext): Driver {
    const opened: Opened = { context, isClosed: false, taken: [] };
    this.opened.push(opened);
    return {
      connect: () => this.connect(),
      send: (batch, submit) => {
        const references = batch.map(({ reference }) => reference);
        this.calls.push(references);
        opened.taken.push(...references);
        return this.send(batch, submit, opened);
      },
      close: () => {
        opened.isClosed = true;
        return Promise.resolve();
      },
    };
  }
}

export const accepted = ({ reference }: { reference: string }): SubmitResult => ({
  reference,
  result: 'accepted',
});
export const unsent = ({ reference }: { reference: string }): SubmitResult => ({
  reference,
  result: 'unsent',
});
