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

/** One open channel of a worker. */
export interface Opened {
  context: OpenContext;
  isClosed: boolean;
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
  private readonly definition: DriverDefinition;

  private constructor(facts: Partial<DriverFacts>) {
    this.definition = defineDriver({
      name: this.name,
      options: z.strictObject({}),
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

  private open(context: OpenContext): Driver {
    const opened: Opened = { context, isClosed: false };
    this.opened.push(opened);
    return {
      send: (batch, submit) => {
        this.calls.push(batch.map(({ reference }) => reference));
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
