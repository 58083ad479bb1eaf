import { routes } from '@heliograph/contract';
import { actOnRow, rowQuery, saveRow, sendBody } from '../../core/row-calls.ts';
import { listSpec } from '../../list/state/list-spec.ts';

export const routeSpec = listSpec(routes.find, {
  order: ['priority', 'title'],
  search: true,
});

export const routeQuery = rowQuery('routes', routes.get);

export const useSaveRoute = saveRow(routes, 'routes', 'shareShifts');

export const useRemoveRoute = actOnRow(routes.remove, 'routes');

export const useRouteProbe = sendBody(routes.probe);
