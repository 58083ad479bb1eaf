import { Alert, Anchor, SimpleGrid, Stack, Text, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Icon } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router';
import { withTexts } from '../../core/i18n/i18n.ts';
import { useSession } from '../../core/session/use-session.ts';
import { useCan, useSettings } from '../../core/settings.ts';
import { downloadFile } from '../../ui/download-file.ts';
import { ErrorCard } from '../../ui/error-card.tsx';
import { IconCreditCard, IconRepeat, IconTariff, IconUser, IconWallet } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { StepperDialog, type DialogStep } from '../../ui/stepper-dialog.tsx';
import { CardForm } from './card-form.tsx';
import { methodsQuery } from './payments.api.ts';
import classes from './payments.module.css';
import { WalletForm } from './wallet-form.tsx';

const InvoiceForm = later(
  async () =>
    (await withTexts(['invoices'], () => import('../invoices/invoice-form-section.tsx')))
      .InvoiceForm,
);

type Variant = 'cards' | 'wallet';

/**
 * Who pays, how, and the payment: `?topUp=true`, with a payer `?topUp=legal`, with the sum that is
 * missing `&topUpAmount=349`, on every page. Individuals leave for the payment page, legal entities for
 * their invoice.
 */
export function TopUpDialog() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const settings = useSettings();
  const can = useCan();
  const { previous } = useSession();
  const { pathname } = useLocation();
  const [params, setParams] = useSearchParams();
  const topUp = params.get('topUp');
  const missing = Number(params.get('topUpAmount'));
  const amount = missing > 0 ? missing : undefined;
  const [variant, setVariant] = useState<Variant | null>(null);
  const {
    data: methods,
    isLoading,
    error,
    refetch,
  } = useQuery({
    ...methodsQuery(settings.session.OwnerId),
    enabled: topUp !== null && can('payments.get'),
  });
  const { wallet } = settings.payments;
  const hasNone = !isLoading && !error && !methods?.length && !wallet;
  const recurrent = methods?.some((method) => method.isRecurrent);
  const without = (...names: string[]) =>
    Object.fromEntries([...params].filter(([name]) => !names.includes(name)));
  const setPayer = (payer: string) => setParams({ ...without(), topUp: payer }, { replace: true });
  // The payments are where the payer is led back to anyway.
  const returnTo =
    pathname === '/balance/payments'
      ? undefined
      : `${pathname}?${new URLSearchParams(without('topUp', 'topUpAmount'))}`;
  const close = () => {
    setVariant(null);
    setParams(without('topUp', 'topUpAmount'), { replace: true });
  };
  const back = () => (variant ? setVariant(null) : setPayer('true'));
  // Granted where the installation has invoices.
  const hasInvoices = 'invoices.create' in settings.permissions && !settings.advanced.isRestricted;
  const isLegal = topUp === 'legal' && hasInvoices;
  const isIndividual = topUp === 'individual' && !hasNone;
  const payers: DialogStep = {
    title: t('payments:step.payer'),
    content: (
      <Stack>
        {hasNone && (
          <Alert color="yellow" role="note">
            {t('payments:noMethods')}
          </Alert>
        )}
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          {!hasNone && (
            <Choice
              icon={IconUser}
              text={t('payments:individual')}
              onClick={() => setPayer('individual')}
            />
          )}
          {hasInvoices && (
            <Choice
              icon={IconTariff}
              text={t('payments:legal')}
              onClick={() => setPayer('legal')}
            />
          )}
        </SimpleGrid>
      </Stack>
    ),
  };
  const variants: DialogStep = {
    title: t('payments:step.variant'),
    content: (
      <Stack>
        {error && !methods && (
          <ErrorCard title={t('payments:cards')} error={error} onRetry={() => void refetch()} />
        )}
        {!!methods?.length && (
          <Choice
            icon={IconCreditCard}
            text={t('payments:cards')}
            onClick={() => setVariant('cards')}
          />
        )}
        {wallet && (
          <Choice
            icon={IconWallet}
            text={t('payments:wallet')}
            onClick={() => setVariant('wallet')}
          />
        )}
        {recurrent && 'recurrentPayments.create' in settings.permissions && !previous && (
          <Choice
            icon={IconRepeat}
            text={t('payments:recurring')}
            onClick={() => void navigate('/balance/recurrentPayments?create=true')}
          />
        )}
      </Stack>
    ),
  };
  const invoice: DialogStep = {
    title: t('payments:step.invoice'),
    content: isLegal && (
      <InvoiceForm
        OwnerId={settings.session.OwnerId}
        amount={amount ?? settings.payments.defaults.legal}
        onIssued={({ id, documentId }) => {
          void navigate(`/balance/invoices?id=${id}`);
          // What is not made yet is on that page, with its state.
          void downloadFile(documentId).catch(() => undefined);
        }}
      />
    ),
  };
  const payment: DialogStep = {
    title: t('payments:step.payment'),
    content:
      variant === 'wallet' && wallet ? (
        <WalletForm wallet={wallet} amount={amount} returnTo={returnTo} />
      ) : (
        methods?.length && <CardForm methods={methods} amount={amount} returnTo={returnTo} />
      ),
  };
  return (
    <StepperDialog
      opened={topUp !== null}
      title={t('payments:topUp')}
      step={isLegal ? 1 : isIndividual ? (variant ? 2 : 1) : 0}
      onBack={back}
      onClose={close}
      // A sum is typed again quickly.
      savesNothing
      steps={isLegal ? [payers, invoice] : [payers, variants, payment]}
      aside={
        <Anchor component={Link} to="/about" size="sm">
          {t('payments:support')}
        </Anchor>
      }
    />
  );
}

interface ChoiceProps {
  icon: Icon;
  text: string;
  onClick: () => void;
}

function Choice({ icon: ChoiceIcon, text, onClick }: ChoiceProps) {
  return (
    <UnstyledButton className={classes.choice} onClick={onClick}>
      <ChoiceIcon size={28} stroke={1.6} aria-hidden />
      <Text fw={600}>{text}</Text>
    </UnstyledButton>
  );
}
