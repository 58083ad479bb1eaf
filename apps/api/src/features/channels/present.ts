import type { Channel, ChannelState } from '@heliograph/contract';
import { isDeepStrictEqual } from 'node:util';
import { shownOptions } from '../../channels/options.ts';
import { findDriver } from '../../channels/registry.ts';
import type { ChannelRow, ChannelWithState } from './channels.store.ts';

/** A channel without its secrets. */
export function presentChannel(row: ChannelWithState): Channel {
  const { updatedAt } = row;
  const state = stateOf(row);
  return { id: row.name, ...presentSettings(row), state, updatedAt: updatedAt.toISOString() };
}

/** Values of the options that the driver declares public, and names of the others that are set. */
function presentSettings(row: ChannelRow): Omit<Channel, 'id' | 'state' | 'updatedAt'> {
  const { name, driver, types, isActive, priority, needsRegistration } = row;
  const { rate, burst, perDay, warmUp, limits } = row;
  const options = shownOptions(findDriver(driver), row.options);
  const carried = { rate, burst, perDay, warmUp, limits };
  return { name, driver, types, isActive, priority, needsRegistration, ...carried, ...options };
}

function stateOf(row: ChannelWithState): ChannelState {
  const { isActive, failingSince, error, errorAt, submitted, submittedAt, reportedAt } = row;
  const sessions = row.sessions?.map((session) => ({
    ...session,
    connectedAt: session.connectedAt && new Date(session.connectedAt).toISOString(),
  }));
  const at = (time: Date | null) => time?.toISOString() ?? null;
  return {
    status: !isActive ? 'off' : failingSince ? 'failing' : submittedAt ? 'working' : 'idle',
    failingSince: at(failingSince),
    error,
    errorAt: at(errorAt),
    submitted,
    submittedAt: at(submittedAt),
    reportedAt: at(reportedAt),
    ...(sessions && { sessions }),
  };
}

/** A channel in the audit log: its public settings, and which secret options changed. */
export function auditedChannel(row: ChannelRow, before?: ChannelRow): object {
  const { secrets, ...shown } = presentSettings(row);
  const isNew = (name: string) =>
    before !== undefined && !isDeepStrictEqual(before.options[name], row.options[name]);
  const hidden = secrets.map((name) => [name, isNew(name) ? 'changed' : 'set'] as const);
  return { ...shown, secrets: Object.fromEntries(hidden) };
}
