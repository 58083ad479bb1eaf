import type { MessagePackage, PackageOffer } from '@heliograph/contract';
import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../core/errors.ts';
import { useSession } from '../../core/session/use-session.ts';
import { useCan, useSettings } from '../../core/settings.ts';
import { showSuccess } from '../../core/toast.tsx';
import { useFormats } from '../../core/use-formats.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorCard } from '../../ui/error-card.tsx';
import { offersQuery, packagesQuery, useBuyPackage } from './packages.api.ts';
import { useCoverage } from './use-coverage.ts';

const LIST = { listStyle: 'none' } as const;

/** The packages of messages of an account, and those that it can buy from its balance; a manager gives them to other accounts. */
export function PackagesDialog({ OwnerId, onClose }: { OwnerId: string; onClose: () => void }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(packagesQuery(OwnerId));
  const offers = useOffers(OwnerId);
  return (
    <Dialog opened onClose={onClose} title={t('packages:title')}>
      <Stack>
        <Text size="sm">{t('packages:text')}</Text>
        {!data && error && (
          <ErrorCard title={t('packages:title')} error={error} onRetry={() => void refetch()} />
        )}
        {data && !data.data.length && <Text size="sm">{t('packages:none')}</Text>}
        {!!data?.data.length && (
          <Stack component="ul" gap="sm" m={0} p={0} style={LIST}>
            {data.data.map((row) => (
              <li key={row.id}>
                <OwnPackage row={row} />
              </li>
            ))}
          </Stack>
        )}
        {offers?.length === 0 && (
          <Text size="sm" c="dimmed">
            {t('packages:noOffers')}
          </Text>
        )}
        {!!offers?.length && (
          <section aria-labelledby="package-offers">
            <Title order={3} size="h5" mb="sm" id="package-offers">
              {t('packages:offers')}
            </Title>
            <Stack component="ul" gap="md" m={0} p={0} style={LIST}>
              {offers.map((offer) => (
                <li key={offer.id}>
                  <Offer offer={offer} OwnerId={OwnerId} />
                </li>
              ))}
            </Stack>
          </section>
        )}
      </Stack>
    </Dialog>
  );
}

/** What the account can buy; null for those who cannot. A manager, who sees all offers, is offered those that can be given, too. */
function useOffers(OwnerId: string): PackageOffer[] | null {
  const can = useCan();
  const { previous } = useSession();
  const { OwnerId: own } = useSettings().session;
  const isOwn = OwnerId === own;
  const mayTake =
    !previous && can('packages.create') && (isOwn || can('billings.generate', 'managerUp'));
  const { data } = useQuery({ ...offersQuery, enabled: mayTake });
  return (mayTake && data?.data.filter(({ isActive }) => isActive)) || null;
}

function OwnPackage({ row }: { row: MessagePackage }) {
  const { t } = useTranslation();
  const formats = useFormats();
  return (
    <>
      <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
        {row.title}
      </Text>
      <Text size="sm" className="numeric">
        {t('packages:left', {
          left: formats.number(row.unitsLeft),
          units: formats.number(row.units),
          date: formats.dateTime(row.endsAt),
        })}
      </Text>
      <Coverage covered={row} />
    </>
  );
}

function Coverage({ covered }: { covered: Pick<PackageOffer, 'types' | 'mccmnc'> }) {
  return (
    <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      {useCoverage(covered)}
    </Text>
  );
}

function Offer({ offer, OwnerId }: { offer: PackageOffer; OwnerId: string }) {
  const { t } = useTranslation();
  const formats = useFormats(offer.currency);
  const isOwn = useSettings().session.OwnerId === OwnerId;
  const { mutate, isPending, error } = useBuyPackage();
  const { id, title, units, days, price } = offer;
  const take = () =>
    mutate(
      { OfferId: id, price, ...(!isOwn && { OwnerId }) },
      { onSuccess: () => showSuccess(t(isOwn ? 'packages:bought' : 'packages:given', { title })) },
    );
  return (
    <>
      <Group justify="space-between" wrap="nowrap" align="start">
        <div>
          <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
            {title}
          </Text>
          <Text size="sm" className="numeric">
            {t('packages:offer', { units: formats.number(units), days: formats.number(days) })}
          </Text>
          <Coverage covered={offer} />
        </div>
        <Button variant="light" onClick={take} loading={isPending} style={{ flexShrink: 0 }}>
          {isOwn ? t('packages:buy', { price: formats.money(price) }) : t('packages:give')}
        </Button>
      </Group>
      {error && (
        <Text size="sm" c="red" role="alert">
          {errorText(t, error)}
        </Text>
      )}
    </>
  );
}
