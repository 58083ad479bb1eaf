import { Controller } from '@nestjs/common';
import { installation, type ResponseOf } from '@heliograph/contract';
import { Endpoint } from '../../core/http/endpoint.ts';
import { InstallationService } from './installation.service.ts';

@Controller()
export class InstallationController {
  constructor(private readonly service: InstallationService) {}

  @Endpoint(installation.get)
  get(): Promise<ResponseOf<typeof installation.get>> {
    return this.service.state();
  }
}
