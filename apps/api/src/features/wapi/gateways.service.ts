import { Injectable } from '@nestjs/common';
import type { Gateway, InstanceRef } from '../../gateways/gateway.ts';
import { openHttpGateway } from '../../gateways/http/http.gateway.ts';
import { GeneratedSecrets } from '../../core/auth/generated-secrets.ts';
import { SecretBox } from '../../core/auth/secret-box.ts';
import { Config } from '../../core/config.ts';
import { AppError } from '../../core/errors.ts';

/** The path of the simulated gateway in a demo installation. */
export const GATEWAY_PATH = '/gateway';

/** The gateway of the installation, and the tokens of its instances, which are stored encrypted. */
@Injectable()
export class GatewaysService {
  private opened?: Promise<Gateway>;

  constructor(
    private readonly config: Config,
    private readonly secrets: GeneratedSecrets,
    private readonly box: SecretBox,
  ) {}

  get isAvailable(): boolean {
    return this.config.wapiGateway !== null;
  }

  /** Throws `unavailable` if the installation has none. */
  open(): Promise<Gateway> {
    const { wapiGateway } = this.config;
    if (!wapiGateway) throw new AppError('unavailable', 'The installation has no WhatsApp gateway');
    return (this.opened ??= this.openAt(wapiGateway.url));
  }

  /** The token of the partner at the simulated gateway. */
  simulatedToken(): Promise<string> {
    return this.secrets.get('gateway');
  }

  seal(id: string, token: string): Promise<Buffer> {
    return this.box.seal(token, purposeOf(id));
  }

  /** Null of an instance that is not at the gateway. */
  async ref(instance: {
    id: string;
    externalId: string | null;
    token: Buffer | null;
  }): Promise<InstanceRef | null> {
    const { id, externalId, token } = instance;
    if (!externalId || !token) return null;
    return { id: externalId, token: await this.box.open(token, purposeOf(id)) };
  }

  private async openAt(url: string | null): Promise<Gateway> {
    const token = url ? this.config.WAPI_GATEWAY_TOKEN! : await this.simulatedToken();
    return openHttpGateway({ url: url ?? `${this.config.localUrl}${GATEWAY_PATH}`, token });
  }
}

/** What the token of an instance is encrypted for. */
export const purposeOf = (id: string) => `wapi instance ${id}`;
