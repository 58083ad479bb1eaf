import { createInterface } from 'node:readline/promises';
import { ApiError, confirmPhone, Heliograph } from '@heliograph/sdk';

const helio = new Heliograph({
  url: process.env.HELIOGRAPH_URL!,
  token: process.env.HELIOGRAPH_TOKEN!,
});
const phone = '+79990000000';

const { requestId } = await helio.otpHandler.create({
  widgetId: process.env.HELIOGRAPH_WIDGET!,
  recipient: phone,
});
console.log('a code was sent to', phone);

for await (const code of createInterface(process.stdin)) {
  try {
    await helio.otpHandler.checkCode(requestId, { code });
    break;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    console.log(error.code, error.docs);
    if (error.code !== 'InvalidCodeException') break;
  }
}

console.log(await confirmPhone(helio, requestId, phone));
