import type { Channel } from '@heliograph/contract';
import { isDeepStrictEqual } from 'node:util';
import { shownOptions } from '../../channels/options.ts';
import { findDriver } from '../../channels/registry.ts';
import type { ChannelRow } from './channels.store.ts';

/** A channel's public face: of its options what the driver declares public, of the others that they are set. */
export function presentChannel(row: ChannelRow): Channel {
  const { name, driver, types, isActive, priority } = row;
  return {
    name,
    driver,
    types,
    isActive,
    priority,
    ...shownOptions(findDriver(driver), row.options),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** What the audit log tells of a channel: what anybody may see of it, and which of the other options were set anew. */
export function auditedChannel(row: ChannelRow, before?: ChannelRow): object {
  const { updatedAt: _, secrets, ...shown } = presentChannel(row);
  const isNew = (name: string) =>
    before !== undefined && !isDeepStrictEqual(before.options[name], row.options[name]);
  const hidden = secrets.map((name) => [name, isNew(name) ? 'changed' : 'set'] as const);
  return { ...shown, secrets: Object.fromEntries(hidden) };
}
