import { Injectable } from '@nestjs/common';
import { SimulatedGateway } from '@heliograph/simulators';
import { randomUUID } from 'node:crypto';
import { Config } from '../../core/config.ts';
import { isSameSecret } from '../../core/http/same-secret.ts';
import { SimulatedHost } from '../../core/http/simulated-host.ts';
import { Log } from '../../core/log.ts';
import { GATEWAY_PATH, GatewaysService } from './gateways.service.ts';
import { SimulatedPhonesStore } from './simulated-phones.store.ts';

/** The simulated gateway of WhatsApp instances. */
@Injectable()
export class GatewayHost extends SimulatedHost {
  constructor(
    private readonly config: Config,
    private readonly gateways: GatewaysService,
    private readonly store: SimulatedPhonesStore,
    log: Log,
  ) {
    super(log);
  }

  protected override isBuiltIn(): boolean {
    return this.config.wapiGateway?.url === null;
  }

  protected override async open(): Promise<SimulatedGateway> {
    const token = await this.gateways.simulatedToken();
    return new SimulatedGateway({
      store: this.store,
      newId: randomUUID,
      now: Date.now,
      baseUrl: `${this.config.publicUrl}${GATEWAY_PATH}`,
      isPartner: (given) => isSameSecret(given, token),
      isSameToken: (given, wanted) => isSameSecret(given, wanted),
    });
  }
}
