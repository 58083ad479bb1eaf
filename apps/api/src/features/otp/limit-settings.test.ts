import { ADMINISTRATOR_GRANTS, installation, otpHandler } from '@heliograph/contract';
import { expect, onTestFinished, test } from 'vitest';
import { setCarrier } from '../../../test/factories.ts';
import { otpWidget } from '../../../test/otp.ts';
import { errorOf, from } from '../../../test/otp/scene.ts';
import { World } from '../../../test/world.ts';

const MINUTE_SECONDS = 60;

test('the limits of codes follow the settings of the installation', async () => {
  const world = await World.start({ TRUST_PROXY: '1' });
  onTestFinished(() => world.stop());
  await setCarrier(world, {});
  world.clock.forward(MINUTE_SECONDS - ((world.clock.now().getTime() / 1000) % MINUTE_SECONDS));
  const administrator = await world.person({
    level: 'manager',
    grants: { add: ADMINISTRATOR_GRANTS },
  });
  const owner = await world.person();
  const widgetId = await otpWidget(owner, ['viber'], { countries: ['RU'] });
  let visitors = 0;
  const order = () => {
    const headers = from(`10.0.${visitors}.1`);
    const body = { widgetId, recipient: `+790${2 + visitors++}1000000` };
    return errorOf(world.client()(otpHandler.create, { body, headers }));
  };
  const limit = (OTP_WIDGET_PER_MINUTE: number | null) =>
    administrator.api(installation.update, { body: { OTP_WIDGET_PER_MINUTE } });
  expect(await order()).toBeUndefined();
  await limit(1);
  expect(await order()).toBe('RateLimitException');
  await limit(null);
  expect(await order()).toBeUndefined();
});
