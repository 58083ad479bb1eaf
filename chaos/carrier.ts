import type { CarrierReport, SendingType } from '@heliograph/domain';
import { planReports, carrierProfile, type ProfileOptions } from '@heliograph/simulators';
import { readFileSync } from 'node:fs';
import { signed } from '../apps/api/src/core/http/standard-webhooks.ts';
import type { Entry } from '../apps/simulator/src/journal.ts';
import type { Address } from './cluster.ts';

/** The entries of the carrier's log for one reference. */
export interface Logged {
  /** The times of its submits, except throttled ones. */
  at: number[];
  isTaken: boolean;
  isRejected: boolean;
  /** Submitted again after it was accepted. */
  repeats: number;
  /** The carrier's reports, sent and due. */
  reports: CarrierReport[];
}

export const PROFILE: ProfileOptions = {
  profile: 'healthy',
  failed: 0.08,
  temporary: 0.02,
  silent: 0.02,
  rejected: 0.01,
  throttled: 0.01,
  duplicates: 0.05,
  disorder: 0.05,
  seen: 0.1,
  replies: 0,
  sentDelay: [0, 400],
  deliveredDelay: [50, 1500],
  seenDelay: [100, 800],
};

/** A client of the carrier: its log, which it writes before it answers, and its reports. */
export class Carrier {
  /** References that the fuzzer reported as delivered in the carrier's name. */
  readonly saidDelivered = new Set<string>();
  /** These, and those whose report got no answer. */
  readonly maybeDelivered = new Set<string>();
  private readonly address: Address;
  private readonly seed: string;

  constructor(address: Address, seed: string) {
    this.address = address;
    this.seed = seed;
  }

  /** Clears the carrier's state of the previous round. */
  async prepare(): Promise<void> {
    await this.call('POST', '/reset');
    await this.call('PUT', '/profile', { ...PROFILE, seed: this.seed });
  }

  async isSilent(): Promise<boolean> {
    const summary = (await this.call('GET', '/log/summary')) as { reports: { waiting: number } };
    return summary.reports.waiting === 0;
  }

  /** The log as it stands on the disk. */
  log(): Map<string, Logged> {
    const profile = carrierProfile(PROFILE);
    const all = new Map<string, Logged>();
    for (const line of readFileSync(this.address.journal, 'utf8').split('\n').slice(0, -1)) {
      const entry = JSON.parse(line) as Entry;
      if ('options' in entry) continue;
      const at = new Date(entry.at);
      for (const [reference, type, recipient, , result] of entry.messages) {
        const known = all.get(reference);
        const logged: Logged = known ?? {
          at: [],
          isTaken: false,
          isRejected: false,
          repeats: 0,
          reports: [],
        };
        if (!known) all.set(reference, logged);
        if (result !== 'throttled') logged.at.push(at.getTime());
        if (result === 'repeat') logged.repeats++;
        if (result === 'rejected') logged.isRejected = true;
        if (result !== 'accepted' && result !== 'lost') continue;
        logged.isTaken = true;
        const message = { reference, type: type as SendingType, recipient };
        logged.reports = planReports(message, profile, this.seed, at).reports;
      }
    }
    return all;
  }

  /** Posts reports as the carrier does. True when they were taken. */
  async report(
    statuses: Pick<CarrierReport, 'reference' | 'status' | 'code' | 'at'>[],
  ): Promise<boolean> {
    const items = statuses.map(({ reference, status, code, at }) => ({
      reference,
      status,
      code,
      at,
    }));
    const body = JSON.stringify({ statuses: items });
    const answer = await fetch(`${this.address.apis[1]}/api/channels/carrier/statuses`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...signed(this.address.secret, body) },
      body,
      signal: AbortSignal.timeout(8000),
    }).catch(() => undefined);
    await answer?.arrayBuffer().catch(() => undefined);
    return answer?.ok ?? false;
  }

  private async call(method: string, path: string, body?: object): Promise<unknown> {
    const answer = await fetch(this.address.carrier + path, {
      method,
      body: body && JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer.status === 204 ? undefined : answer.json();
  }
}
