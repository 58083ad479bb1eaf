import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Carrier } from './carrier.ts';
import type { Random } from './random.ts';

/**
 * Posts reports in the carrier's name beside its own: repeats in any order, unknown references, and
 * deliveries of failed messages.
 */
export class ReportFuzzer {
  private readonly carrier: Carrier;
  private readonly random: Random;

  constructor(carrier: Carrier, random: Random) {
    this.carrier = carrier;
    this.random = random;
  }

  async run(ms: number): Promise<void> {
    for (const end = Date.now() + ms; Date.now() < end;) {
      await sleep(this.random.between(500, 1500));
      await this.once();
    }
  }

  private async once(): Promise<void> {
    const now = Date.now();
    const log = this.carrier.log();
    const said = [...log.values()].flatMap(({ reports }) =>
      this.random.roll() < 0.03 ? reports.filter((r) => r.due.getTime() < now) : [],
    );
    const failed = said.filter((r) => r.status === 'failed' && now - r.due.getTime() > 500);
    const late = failed.slice(0, 5).map(({ reference }) => reference);
    const again = said
      .filter((r) => !late.includes(r.reference))
      .flatMap((r) => (this.random.roll() < 0.2 ? [r, r] : [r]));
    const unknown = [1, 2, 3].map(() => ({
      reference: randomUUID(),
      status: 'delivered' as const,
      at: new Date(),
    }));
    const items = [...again, ...unknown].slice(0, 900);
    for (let i = items.length - 1; i > 0; i--) {
      const j = Math.floor(this.random.roll() * (i + 1));
      [items[i], items[j]] = [items[j]!, items[i]!];
    }
    await this.carrier.report(items);
    if (!late.length) return;
    // Noted before the call, because a report without an answer may have been applied.
    for (const reference of late) this.carrier.maybeDelivered.add(reference);
    const at = new Date();
    const isAccepted = await this.carrier.report(
      late.map((reference) => ({ reference, status: 'delivered' as const, at })),
    );
    if (isAccepted) for (const reference of late) this.carrier.saidDelivered.add(reference);
  }
}
