// The product's API whose service answers a sending at once: routes, session, validation and answer are the product's own.
import { compiled } from './product.ts';

const load = (file: string) => import(`${compiled}/${file}`);
const { connect, createApi } = await load('app.js');
const { loadConfig } = await load('core/config.js');
const { createLog } = await load('core/log.js');
const { SendingsService } = await load('features/sendings/sendings.service.js');

const config = loadConfig();
const log = createLog(config.LOG_LEVEL, 'handler alone');
const app = await createApi({ config, log, dataSource: await connect(config, 'api') });
app.get(SendingsService, { strict: false }).create = async (
  _actor: unknown,
  { recipient }: { recipient: string },
) => ({
  id: '01930000-0000-7000-8000-000000000000',
  recipient,
  status: 'pending',
  error: null,
});
await app.listen(config.PORT, config.HOST);
