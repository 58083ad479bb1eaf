import { Controller } from '@nestjs/common';
import { captcha, type ResponseOf } from '@heliograph/contract';
import { Endpoint } from '../../core/http/endpoint.ts';
import { CaptchaService } from './captcha.service.ts';

@Controller()
export class CaptchaController {
  constructor(private readonly service: CaptchaService) {}

  @Endpoint(captcha.challenge)
  challenge(): Promise<ResponseOf<typeof captcha.challenge>> {
    return this.service.challenge();
  }
}
