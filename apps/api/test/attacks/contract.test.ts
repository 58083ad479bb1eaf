import { contract, urlOf, type Call, type Endpoint } from '@heliograph/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sampleOf, type Sample } from '../samples.ts';
import { scene, type Scene } from '../scene.ts';
import { hostileTexts, mutations } from './mutations.ts';
import { Target } from './target.ts';

/** Every field of every endpoint gets hostile values, in a call with the necessary permission. */

const ENDPOINTS = Object.entries(contract).flatMap(([noun, endpoints]) =>
  Object.entries(endpoints as Record<string, Endpoint>).map(([verb, def]) => ({
    name: `${noun}.${verb}`,
    noun,
    verb,
    def,
  })),
);
/** Their bodies are signed, and have an attack of their own. */
const isSigned = ({ def }: { def: Endpoint }) => def.can === 'carrier';

let target: Target;
beforeAll(async () => {
  target = await Target.start();
});
afterAll(() => target.stop());

async function ownSample(noun: string, verb: string): Promise<Sample & { own: Scene }> {
  const own = await scene(target.world);
  return { ...(await sampleOf(noun, verb, own)), own };
}

const withBodies = ENDPOINTS.filter((one) => one.def.body && !one.def.upload && !isSigned(one));
test.each(withBodies)(
  '$name: hostile bodies are answered, never failed on',
  async ({ noun, verb, def }) => {
    const { call, own, by = own.owner } = await ownSample(noun, verb);
    const path = `/api${urlOf(def, call)}`;
    await target.attack(async () => {
      for (const { name, value } of mutations(call.body)) {
        const reply = await target.shoot(path, {
          method: def.method,
          token: by.token,
          body: value,
        });
        expect(reply.status, `${name}: ${reply.text.slice(0, 200)}`).toBeLessThan(500);
      }
    });
  },
);

/** The others could be ids of rows that an earlier attack has created. */
const NO_NAME = /[^\w-]/;
const withParams = ENDPOINTS.filter((one) => one.def.path.includes(':'));
test.each(withParams)('$name: hostile paths are answered', async ({ noun, verb, def }) => {
  const { call, own, by = own.owner } = await ownSample(noun, verb);
  await target.attack(async () => {
    for (const [name, text] of hostileTexts.filter(([, text]) => NO_NAME.test(text))) {
      const params = Object.fromEntries(
        Object.keys(call.params ?? {}).map((key) => [key, wellFormed(text)]),
      );
      const path = `/api${urlOf(def, { params } as Call<Endpoint>)}`;
      const body = call.body instanceof FormData ? undefined : call.body;
      const reply = await target.shoot(path, { method: def.method, token: by.token, body });
      expect(reply.status, name).toBeGreaterThanOrEqual(400);
    }
  });
});

const lists = ENDPOINTS.filter((one) => one.def.method === 'GET' && one.def.query);
test.each(lists)('$name: hostile queries are answered', async ({ noun, verb, def }) => {
  const { call, own, by = own.owner } = await ownSample(noun, verb);
  const path = `/api${urlOf(def, call)}`.split('?')[0]!;
  await target.attack(async () => {
    for (const query of hostileQueries()) {
      const reply = await target.shoot(`${path}?${query}`, { token: by.token });
      expect(reply.status, query.slice(0, 200)).toBeLessThan(500);
    }
  });
});

function hostileQueries(): string[] {
  const names = [
    '$search',
    '$limit',
    '$offset',
    '$order',
    '$scope',
    'status',
    'id',
    'OwnerId',
    'cursor',
    'createdAt[$gt]',
    'createdAt[$lt]',
    'updatedAt[$gt]',
    'startsAt[$lt]',
    'from',
  ];
  const given = names.flatMap((name) =>
    hostileTexts.map(
      ([, text]) => `${encodeURIComponent(name)}=${encodeURIComponent(wellFormed(text))}`,
    ),
  );
  return [
    ...given,
    '$limit=-1',
    '$limit=501',
    '$limit=1e9',
    '$offset=-1',
    '$offset=99999999999999999999',
    '$limit[]=1',
    '$limit[$gt]=1',
    '$order[0][0]=id;select 1&$order[0][1]=desc',
    '$order[0][0]=createdAt&$order[0][1]=desc;--',
    '$order[0]=createdAt',
    'createdAt[$gt]=infinity',
    'createdAt[$gt]=-infinity',
    'createdAt[$lt]=0001-01-01T00:00:00Z',
    'createdAt[$gt]=99999-01-01T00:00:00Z',
    'a[b][c][d][e][f][g]=1',
    '__proto__[isAdmin]=true',
    'constructor[prototype][x]=1',
    `${'x[]=1&'.repeat(3000)}`,
    `${'[]'.repeat(2000)}=1`,
    '%',
    '%E0%A4%A',
    '%00=%00',
    '=&=&=',
    '&'.repeat(4000),
  ];
}

/** Half of a pair cannot be written into an address. */
const wellFormed = (text: string): string => text.toWellFormed();
