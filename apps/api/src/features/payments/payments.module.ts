import { Module } from '@nestjs/common';
import { BillingsModule } from '../billings/billings.module.ts';
import { ReferralsModule } from '../referrals/referrals.module.ts';
import { SettingsModule } from '../settings/settings.module.ts';
import { AcquirersService } from './acquirers.service.ts';
import { PayersStore } from './payers.store.ts';
import { PaymentSweepService } from './payment-sweep.service.ts';
import { PaymentsController } from './payments.controller.ts';
import { PaymentsService } from './payments.service.ts';
import { PaymentsStore } from './payments.store.ts';
import { RefundsService } from './refunds.service.ts';
import { RefundsStore } from './refunds.store.ts';
import { SandboxHost } from './sandbox-host.service.ts';
import { SandboxSecret } from './sandbox-secret.service.ts';
import { SandboxPaymentsStore } from './sandbox.store.ts';
import { SettlementService } from './settlement.service.ts';

@Module({
  imports: [BillingsModule, ReferralsModule, SettingsModule],
  controllers: [PaymentsController],
  providers: [
    AcquirersService,
    PayersStore,
    PaymentSweepService,
    PaymentsService,
    PaymentsStore,
    RefundsService,
    RefundsStore,
    SandboxHost,
    SandboxPaymentsStore,
    SandboxSecret,
    SettlementService,
  ],
  exports: [PaymentsService, SettlementService],
})
export class PaymentsModule {}
