import type { Route } from '@heliograph/contract';
import type { TFunction } from 'i18next';

/** For which messages a route is, in words. */
export function conditionsOf(t: TFunction, route: Route): string {
  const parts = [
    route.types.map((type) => t(`common:type.${type}`)),
    route.kinds.map((kind) => t(`routes:kind.${kind}`)),
    route.countries,
    route.operators,
    route.senders,
    route.Owners.map(({ username }) => username),
    route.Groups.map(({ title }) => title),
  ].filter((values) => values.length);
  return parts.length ? parts.map((values) => values.join(', ')).join(' · ') : t('routes:all');
}
