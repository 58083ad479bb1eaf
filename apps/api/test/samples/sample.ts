import {
  ADMINISTRATOR_GRANTS,
  type Call,
  type contract,
  type Endpoint,
} from '@heliograph/contract';
import type { Scene } from '../scene.ts';
import type { Person } from '../world.ts';

/** A valid call of an endpoint on rows of a new account. */
export interface Sample<E extends Endpoint = Endpoint> {
  call: Call<E>;
  /** The user who is permitted to make the call. Default: the account holder. */
  by?: Person;
  /** The row that the call changes or returns. */
  row: [table: string, key: string, column?: string];
  /**
   * The answer to the same call of another account: `nothing` is a refusal that does not reveal the row, `own` an
   * answer about rows of the caller, `anything` is for calls that belong to no account.
   */
  others: 'nothing' | 'own' | 'anything';
}

type Contract = typeof contract;
export type SamplesOf<Noun extends keyof Contract> = {
  [N in Noun]: {
    [V in keyof Contract[N]]: Contract[N][V] extends Endpoint
      ? (scene: Scene) => Promise<Sample<Contract[N][V]>>
      : never;
  };
};

export const MOSCOW = { latitude: 55.75, longitude: 37.62 };

/** A call whose path contains the id of the row. */
export const byId = async <C extends object>(table: string, created: Promise<string>, call?: C) => {
  const id = await created;
  const params = { id };
  return {
    call: { ...call, params } as C & { params: typeof params },
    row: [table, id] as [string, string],
    others: 'nothing' as const,
  };
};

/** A list that contains the row. */
export const listing = async (table: string, created: Promise<string>) => ({
  call: {},
  row: [table, await created] as [string, string],
  others: 'own' as const,
});

/** A call that creates a row of the caller. */
export const creating = <C>({ owner }: Scene, call: C) => ({
  call,
  row: ['users', owner.id] as [string, string],
  others: 'own' as const,
});

/** A manager who configures channels, which belong to no account. */
export const administrator = ({ world }: Scene) =>
  world.person({ level: 'manager', grants: { add: ADMINISTRATOR_GRANTS } });

export const administered = async <S extends object>(scene: Scene, sample: Promise<S>) => ({
  ...(await sample),
  by: await administrator(scene),
});

/** A call by the manager of the scene's account. */
export async function managed<S extends object>(
  { world, owner }: Scene,
  sample: Promise<S> | S,
): Promise<S & { by: Person }> {
  const by = await world.person({ level: 'manager' });
  await world.db.query(`update users set manager_id = $2 where id = $1`, [owner.id, by.id]);
  return { ...(await sample), by };
}
