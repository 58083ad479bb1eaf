import { afterAll, beforeAll, describe } from 'vitest';
import { captchaTests } from '../../../test/otp/captchas.ts';
import { concurrencyTests } from '../../../test/otp/concurrency.ts';
import { limitTests } from '../../../test/otp/limits.ts';
import { OtpScene } from '../../../test/otp/scene.ts';
import { sessionTests } from '../../../test/otp/sessions.ts';
import { settingTests } from '../../../test/otp/settings.ts';

/** All in one world: it takes longer to start than most of the tests. */
const scene = new OtpScene();
beforeAll(() => scene.start());
afterAll(() => scene.world.stop());

describe('sessions', () => {
  sessionTests(scene);
});
describe('limits', () => {
  limitTests(scene);
});
describe('settings', () => {
  settingTests(scene);
});
describe('captchas', () => {
  captchaTests(scene);
});
describe('concurrency', () => {
  concurrencyTests(scene);
});
